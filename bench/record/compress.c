/* A program for `make bench-record`: compresses and expands text with zlib, as often as the first argument
   says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define TEXT_LEN (64 << 10)

static unsigned char text[TEXT_LEN], packed[2 * TEXT_LEN], again[TEXT_LEN];

/* Fills the text with words of a small vocabulary, in an order that is the same in every run. */
static void write_text(unsigned seed)
{
   static const char *words[] = { "block ", "literal ", "match ", "window ",
                                  "hash ", "chain ", "length ", "code\n" };
   size_t len = 0;
   while (len < TEXT_LEN) {
      const char *word = words[(seed = seed * 1103515245 + 12345) >> 16 & 7];
      size_t rest = TEXT_LEN - len, part = strlen(word) < rest ? strlen(word) : rest;
      memcpy(text + len, word, part);
      len += part;
   }
}

int main(int count, char **words)
{
   int rounds = count > 1 ? atoi(words[1]) : 1;
   for (int round = 0; round < rounds; round++) {
      uLongf packed_len = sizeof packed, len = sizeof again;
      write_text(round);
      if (compress2(packed, &packed_len, text, sizeof text, 1 + round % 9) != Z_OK
          || uncompress(again, &len, packed, packed_len) != Z_OK || memcmp(text, again, len) != 0) {
         fprintf(stderr, "zlib does not return what it was given\n");
         return 1;
      }
   }
   return 0;
}
