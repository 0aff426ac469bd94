/* A program that does nothing useful, so that most queries of the list have rows in its graph. Its functions
   have the names that the queries ask for. */
/* TODOs: a query looks for comments with such a word. */
int one_more(int value) { return value + 1; }

typedef unsigned long size_t;
typedef struct { char *field; int kind; } box;
typedef struct { int level; int (*run)(int); } config;
typedef struct _IO FILE;

int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int scanf(const char *format, ...);
char *gets(char *to);
char *getwd(char *to);
char *getenv(const char *name);
int strcmp(const char *a, const char *b);
size_t strlen(const char *text);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strtok(char *text, const char *marks);
void *memcpy(void *to, const void *from, size_t size);
void *malloc(size_t size);
void free(void *memory);
long read(int file, void *to, size_t size);
long recv(int socket, void *to, size_t size, int flags);
long send(int socket, const void *from, size_t size, int flags);
int setuid(int user);
int setgid(int group);
int setgroups(size_t count, const int *groups);
void exit(int code);
int source(void);
void sink(int value);

#define MAX 10

static const config configuration_table[2] = {{0, one_more}, {1, one_more}};

void foo(void) {
    int x = source();
    if (x < MAX) {
        int y = 2 * x;
        sink(y);
    }
    while (x++ < MAX) {
        if (x != 0) {
            int z = 3 * x;
            sink(z);
        }
    }
}

int myfunc(int b) {
    int a = 42;
    if (b > 10)
        sink(a);
    else
        sink(b);
    return a;
}

int transform(int raw) {
    int clean = raw - 1;
    return clean;
}

void helper(char *input) {
    char copy[16];
    strcpy(copy, input);
    printf(copy);
}

long crc32(long seed, const unsigned char *text, size_t size) {
    long sum = seed;
    for (size_t i = 0; i < size; i++)
        sum ^= text[i];
    return sum << 3;
}

int gz_write(char *state, const char *from, size_t size) {
    char *place = state;
    size_t rest = size;
    memcpy(place, from, rest);
    return (int)crc32(0, (const unsigned char *)state, size);
}

void copy_text(char *to, const char *from) {
    int i;
    for (i = 0; from[i] != 0; i++)
        to[i] = from[i];
}

void many(int a, int b, int c, int d, int e, int f) {
    if (a) { if (b) { if (c) { if (d) { if (e) { sink(f); } } } } }
    for (int i = 0; i < a; i++) sink(i);
    for (int i = 0; i < b; i++) sink(i);
    while (c-- > 0) sink(c);
    do { sink(d); } while (d-- > 0);
    while (e-- > 0) sink(e);
}

int first_digit(const char *text) { return text[0] == '1' ? 1 : 0; }

int length(const char *text) {
    int size = strlen(text);
    if (size == 0)
        return 0;
    return size;
}

int is_even(int n);
int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

void *table_of(int y, int z) {
    void *made = malloc(y * z);
    return made;
}

void fill(char **rows, int count, char *from, size_t size) {
    for (int i = 0; i < count; i++) {
        rows[i] = malloc(size + 1);
        memcpy(rows[i], from, size);
    }
}

void drop(box *owner) {
    free(owner->field);
}

int late(char *text) {
    free(text);
    return text[0];
}

int names(char *to, int user, int socket) {
    char line[64];
    gets(line);
    scanf("%s", line);
    getwd(line);
    strcat(to, line);
    strtok(line, "/etc/passwd");
    sprintf(to, "%s:%d", line, user);
    snprintf(to, length(line), "%s", line);
    strncpy(to, line, length(line));
    read(socket, line, 64);
    recv(socket, line, 64, 0);
    send(socket, line, 64, 0);
    setuid(user);
    return setgid(user);
}

int same_a(int a, int b) { sink(a + b); sink(a - b); sink(a * b); return a / b; }
int same_b(int a, int b) { sink(a + b); sink(a - b); sink(a * b); return a / b; }

int choose_level(int level) {
    int (*run)(int) = configuration_table[level].run;
    return (*run)(level);
}

int main(int argc, char *argv[]) {
    char *input = getenv("HOME");
    char target[32];
    if (argc > 1 && strcmp(argv[1], "42") == 0) {
        fprintf(stderr, "It depends!\n");
        exit(42);
    }
    if (argc > 1) {
        strcpy(target, input);
        helper(input);
    }
    int raw = source();
    int clean = transform(raw);
    sink(clean);
    foo();
    gz_write(target, input, length(input));
    printf("What is the meaning of life?\n");
    printf("see https://example.org/ \n");
    exit(0);
}
