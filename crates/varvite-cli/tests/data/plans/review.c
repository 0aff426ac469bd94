/* Lines that each plan of examples/plans must find, marked with > and its name, and near misses, marked with <. */
typedef unsigned long size_t;
typedef unsigned char Byte;
struct item { struct item *next; char *text; int size; };
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *p);
void *memcpy(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
size_t strlen(const char *text); //> never_called
int printf(const char *format, ...); //> variadic_methods
int sprintf(char *to, const char *format, ...); //> variadic_methods
int snprintf(char *to, size_t size, const char *format, ...); //> variadic_methods
int open(const char *name, int flags);
int close(int file);
int read(int file, void *to, size_t count); //> never_called
void keep(void *p);
#define MALLOC(size) malloc((size))
#define FREE(owner, p) free((p))
#define MEMCPY(to, from, count) memcpy(to, from, count)
#define T(text) text
#define OP_ALLOC 7
#define LIMIT 64

static int counter;

void uses_after_free(char *p, char *q, int flag) { //> never_called
  free(p);
  if (flag)
    keep(q);
  keep(p); //> after_free
  free(q);
  q = malloc(8); //> unchecked_allocations
  keep(q); //< after_free
}

void frees_twice_by_a_macro(char *p, char *owner) { //> never_called
  free(p);
  FREE(owner, p); //> after_free
  keep(&p); //< after_free
}

void keeps_its_owner(char *p, char *owner) { //> never_called
  FREE(owner, p);
  keep(owner); //< after_free
}

void allocates_in_loops(int n, int kind) { //> allocations_not_freed //> callers //> never_called
  char *one = malloc(10); //< allocations_in_loops //> unchecked_allocations
  for (int i = 0; i < n; i++) {
    keep(calloc(2, 3)); //> allocations_in_loops //> unchecked_allocations
    if (kind == OP_ALLOC) { //< allocations_in_loops
      memcpy(one, one, 10); //> copies_in_loops //> dangerous_calls
      memcpy(one, one, n + i); //> copies_in_loops //> dangerous_calls //> parameters_as_lengths
    }
  }
  memset(one, 0, 10); //< copies_in_loops //< dangerous_calls
}

void frees_what_it_allocates(int n) { //< allocations_not_freed //> never_called
  char *toFree = malloc(n * 4); //> computed_allocation_sizes //< unchecked_allocations
  if (!toFree)
    return;
  free(toFree);
}

void names_something_free(int n) { //> allocations_not_freed //> never_called
  int carefree = n;
  struct item item;
  item.text = malloc(carefree); //< computed_allocation_sizes //< unchecked_allocations
  if (item.text == 0)
    keep(&carefree);
}

int names_an_operation_only(int kind) { //< allocations_not_freed //> never_called
  return kind == OP_ALLOC;
}

char *returns_what_it_allocates(void) { //> allocations_not_freed //> never_called
  return malloc(3); //< unchecked_allocations
}

int assigns_in_a_condition(int a, int b) { //> never_called
  if (a = b) //> assignments_in_conditions
    return 1;
  if (a == b) //< assignments_in_conditions
    b = 2; //< assignments_in_conditions
  return b;
}

int indexes(int *table, int i) {
  table[i] = 3; //< computed_indexes
  return table[i + 1]; //> computed_indexes
}

void prints(char *name, int file) { //> never_called
  char line[LIMIT];
  printf(name); //> format_strings
  printf("%s", name); //< format_strings
  printf(T("%s"), name); //< format_strings
  printf(file ? "%d" : "%x", file); //< format_strings
  printf(file ? name : "%x", file); //> format_strings
  sprintf(line, (char *)name); //> format_strings //> dangerous_calls
  snprintf(line, 3, T(name)); //> format_strings //> dangerous_calls
  snprintf(line, 3, T("%d"), 3); //< format_strings //< dangerous_calls
}

void writes_globals(struct item *item, int local) { //> never_called
  counter = local; //> globals_written
  local = counter; //< globals_written
  counter++; //> globals_written
}

int jumps(int kind) { //> never_called
  if (kind)
    goto end; //> gotos
  switch (kind) { //> switches_without_default
  case 1:
    return 3;
  }
  switch (kind) { //< switches_without_default
  case 2:
    break; //< gotos
  default:
    kind = 1;
  }
end:
  return 2;
}

void calls_a_pointer(int (*work)(int), int n) { //> never_called
  work(n); //> indirect_calls
  indexes(&n, n); //< indirect_calls
}

void opens_files(void) { //> allocations_not_freed //> never_called
  int file = open("/tmp/x.log", 0); //> names_of_files //< unused_results
  open("y.db", 0); //> names_of_files //> unused_results
  printf("and/or one or two"); //< names_of_files
  if (close(file)) //< unused_results
    MALLOC(4); //> unused_results //> unchecked_allocations
  close(file); //> unused_results
}

int casts(long wide, short narrow) { //> never_called
  long same = (long)narrow; //< narrowing_casts
  return (int)wide + same; //> narrowing_casts
}

void copies_a_length(char *to, char *from, int length, struct item *item) { //> callers //> never_called
  int rest = length - 1;
  if (rest)
    keep(to);
  memcpy(to, from, rest); //> parameters_as_lengths //> dangerous_calls
  memcpy(to, from, 8); //> dangerous_calls
}

void copies_a_constant(char *from) { //> callers
  char to[8];
  int fixed = 8;
  memcpy(to, "constant", fixed); //< parameters_as_lengths //> dangerous_calls
}

int formats(const char *format, ...) { //> variadic_methods
  return format[0];
}

int main(void) { //> entry_points //< never_called //< variadic_methods //< callers
  return formats("a long text that the code holds", 0x1234, 12);
}

int domain(void) { //< entry_points //> never_called
  return 100 + main();
}

unsigned long compressBound(unsigned long length, struct item *strm) { //> never_called
  return length + strm->size;
}

void first(char *from) {
  copies_a_constant(from);
}

void second(char *from) {
  first(from);
  puts(from);
  puts("short");
  putchar(LIMIT);
}

void third(char *from) { //> never_called
  second(from);
}

void nests(int a) { //> never_called
  while (a)
    if (a > 1)
      do {
        a--;
      } while (a > 100);
}

void loops_once(char *to, char *from, int n) { //> never_called //> callers //> allocations_not_freed
  do {
    memcpy(to, "once", 4); //< copies_in_loops
    keep(calloc(1, 2)); //< allocations_in_loops //> unchecked_allocations
  } while (0);
  for (keep(malloc(2)); //< allocations_in_loops //> unchecked_allocations
       n > 0;
       keep(malloc(1))) //> allocations_in_loops //> unchecked_allocations
    do {
      memcpy(to, "often", 5); //> copies_in_loops
    } while (0);
}

void frees_in_each_round(int n) { //> never_called
  char *kept = "kept";
  for (int i = 0; i < n; i++) {
    char *fresh, *again = "again";
    keep(&fresh);
    keep(fresh); //< after_free
    keep(kept); //> after_free
    while (i > 3) {
      keep(again); //> after_free
      free(again);
    }
    free(kept);
    free(fresh);
  }
  while (n--) {
    char *late;
    keep(&late);
    if (n > 4)
      free(late);
    keep(late); //> after_free
  }
}

void starts_loops(char *to, char *from, int n) { //> never_called //> callers //> allocations_not_freed
  memcpy(to, from, sizeof(struct item)); //< parameters_as_lengths //> dangerous_calls
  for (char *one = malloc(2); n > 0; n--) //< allocations_in_loops //> unchecked_allocations
    keep(one);
  for (int i = 0, j = memset(to, 0, 4) == to; i < j; i++) //< copies_in_loops
    keep(to);
  for (;;)
    MEMCPY(to, "many", 4); //> copies_in_loops
}
