/* Runs 200 instructions of a file's code, unmaps the file, and runs 100,000 instructions of code that the program
   has written to the same addresses. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Code that counts down from a number. */
static void write_loop(unsigned char *code, unsigned rounds)
{
    unsigned char loop[] = {0xb9, 0, 0, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
    memcpy(loop + 1, &rounds, sizeof rounds);
    memcpy(code, loop, sizeof loop);
}

int main(int argc, char **argv)
{
    unsigned char page[4096] = {0};
    int access = PROT_READ | PROT_EXEC;
    int file = open(argv[argc - 1], O_RDWR | O_CREAT, 0600);
    write_loop(page, 100);
    if (write(file, page, sizeof page) != sizeof page)
        return 1;
    void *code = mmap(NULL, sizeof page, access, MAP_PRIVATE, file, 0);
    ((void (*)(void))code)();
    munmap(code, sizeof page);
    unsigned char *own = mmap(code, sizeof page, access | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    write_loop(own, 50000);
    ((void (*)(void))own)();
    puts("done");
    return 0;
}
