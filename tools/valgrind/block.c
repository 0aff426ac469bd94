/* See block.h. */

#include "block.h"

#include "stream.h"

#include "pub_tool_hashtable.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

static UInt next_id;

/* The blocks of a superblock. The first two fields are those of VgHashNode. */
typedef struct Superblock {
   struct Superblock* next;
   UWord address;
   UInt range[2];
} Superblock;

static VgHashTable* superblocks;

void block_begin(Block* block)
{
   block->id = next_id;
   block->len = 0;
}

Entry* block_add(Block* block, EntryKind kind, UInt size, ULong address)
{
   tl_assert(block->len < ENTRIES_MAX);
   Entry* entry = &block->entries[block->len++];
   *entry = (Entry){ .kind = kind, .size = size, .address = address };
   return entry;
}

void block_describe(const Block* block)
{
   UInt head_len = sizeof block->id + sizeof block->len;
   stream_put(ITEM_BLOCK, block, head_len + block->len * sizeof(Entry));
   next_id++;
}

UInt block_next_id(void)
{
   return next_id;
}

void blocks_of_superblock(Addr address, UInt first)
{
   if (first == next_id)
      return;
   if (!superblocks)
      superblocks = VG_(HT_construct)("varvite.superblocks");
   Superblock* node = VG_(malloc)("varvite.superblock", sizeof *node);
   *node = (Superblock){ .address = address, .range = { first, next_id } };
   VG_(HT_add_node)(superblocks, node);
}

void blocks_forget(Addr address)
{
   Superblock* node = superblocks ? VG_(HT_remove)(superblocks, address) : NULL;
   if (!node)
      return;
   stream_flush();
   stream_put(ITEM_FORGET, node->range, sizeof node->range);
   VG_(free)(node);
}
