/* Blocks: stretches of translated code without a way out in the middle. If a block's beginning runs, all of
   it runs. So its description, written once, and the addresses of one run say exactly what was executed.

   A superblock of valgrind becomes one block for each stretch between two exits. */

#ifndef VARVITE_BLOCK_H
#define VARVITE_BLOCK_H

#include "pub_tool_basics.h"

typedef enum {
   ENTRY_INSTRUCTION = 1,
   ENTRY_LOAD = 2,
   ENTRY_STORE = 3,
   ENTRY_MODIFY = 4
} EntryKind;

/* The address is in the description, not in the runs. */
#define ENTRY_FIXED 1
/* A run holds NO_ADDRESS if the access did not happen. */
#define ENTRY_GUARDED 2
/* The address is in no run: it lies at a distance from that of an earlier entry of the block. */
#define ENTRY_BESIDE 4

#define NO_ADDRESS (~0ULL)

/* An instruction or an access of a block, in the order of execution. */
typedef struct {
   UChar kind;
   UChar flags;
   UShort size;
   /* The number of entries back to the one that this one lies beside, or 0. */
   UInt back;
   /* The address of an instruction or a fixed access, or the distance from the other entry. */
   ULong address;
} Entry;

/* The most entries of a block; the block ends before an entry that exceeds it. */
#define ENTRIES_MAX 1024

typedef struct {
   UInt id;
   UInt len;
   Entry entries[ENTRIES_MAX];
} Block;

/* Begins a block without entries. */
void block_begin(Block* block);

/* Adds an entry. */
Entry* block_add(Block* block, EntryKind kind, UInt size, ULong address);

/* Sends the description. */
void block_describe(const Block* block);

/* The number of the next block. */
UInt block_next_id(void);

/* Remembers that the superblock at this address became the blocks from `first` up to the next id. */
void blocks_of_superblock(Addr address, UInt first);

/* Tells the reader that the blocks of this superblock do not run any more. */
void blocks_forget(Addr address);

#endif
