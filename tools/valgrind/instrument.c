/* See instrument.h.

   The added code, for a block that loads from t5 and then stores to t9 and to t5 + 8:

      cursor = LDle:I64(&stream_cursor)                once in a superblock
      if (cursor > stream_limit()) stream_flush()      once in a superblock; nothing is live here
      cursor = LDle:I64(&stream_cursor)
      STle(cursor) = 17:I32                            the block's number
      STle(cursor + 4) = t5                            before the load
      STle(cursor + 12) = t9                           before the store; nothing before that to t5 + 8
      STle(&stream_cursor) = cursor + 20               before each exit, and at the end

   If an access faults, the cursor has not moved, and the next run overwrites the unfinished one. */

#include "instrument.h"

#include "block.h"
#include "gate.h"
#include "modules.h"
#include "stream.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

/* A temporary as the sum of another one, its root, and an offset. */
typedef struct {
   IRTemp root;
   ULong offset;
   /* Of a root: the block in which an access has written its address, the number of its entry there, and the
      offset of the access. */
   UInt block;
   UInt entry;
   ULong entry_offset;
} Sum;

/* The translation of a superblock. */
typedef struct {
   IRSB* out;
   /* The cursor at the beginning of the superblock, and the bytes written behind it. */
   IRTemp cursor;
   UInt used;
   /* The block so far; its number is written with its first entry. */
   Block block;
   Bool is_numbered;
   /* The last access, if it is a load that a store may turn into a modify. */
   Entry* load;
   IRExpr* load_address;
   /* For each temporary of the superblock, what it is the sum of. */
   Sum* sums;
} Translation;

static Bool has_instructions = True;
static const HChar* first_function;

void instrument_without_instructions(void)
{
   has_instructions = False;
}

void instrument_from_function(const HChar* name)
{
   first_function = name;
}

/* Small helpers that build code. */

static IRExpr* number(ULong value)
{
   return IRExpr_Const(IRConst_U64(value));
}

static IRExpr* temp_of(Translation* t, IRExpr* value)
{
   IRTemp temp = newIRTemp(t->out->tyenv, typeOfIRExpr(t->out->tyenv, value));
   addStmtToIRSB(t->out, IRStmt_WrTmp(temp, value));
   return IRExpr_RdTmp(temp);
}

static IRExpr* load_cursor(Translation* t)
{
   return temp_of(t, IRExpr_Load(Iend_LE, Ity_I64, number((HWord)&stream_cursor)));
}

/* The place at which the next bytes are written. */
static IRExpr* place(Translation* t)
{
   IRExpr* cursor = IRExpr_RdTmp(t->cursor);
   return t->used == 0 ? cursor : temp_of(t, IRExpr_Binop(Iop_Add64, cursor, number(t->used)));
}

static void call(Translation* t, const HChar* name, void* function, IRExpr* guard)
{
   IRDirty* dirty = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), mkIRExprVec_0());
   if (guard)
      dirty->guard = guard;
   addStmtToIRSB(t->out, IRStmt_Dirty(dirty));
}

/* Temporaries as sums. */

#define NO_BLOCK (~0U)

static void begin_sums(Translation* t, Int temps)
{
   static Sum* sums;
   static Int room;
   if (temps > room) {
      room = 2 * temps;
      sums = VG_(realloc)("varvite.sums", sums, room * sizeof(Sum));
   }
   t->sums = sums;
   for (Int temp = 0; temp < temps; temp++)
      sums[temp] = (Sum){ .root = temp, .block = NO_BLOCK };
}

/* Remembers a temporary that is another one plus or minus a constant. */
static void learn_sum(Translation* t, IRTemp temp, const IRExpr* value)
{
   if (value->tag != Iex_Binop)
      return;
   IROp op = value->Iex.Binop.op;
   const IRExpr* left = value->Iex.Binop.arg1;
   const IRExpr* right = value->Iex.Binop.arg2;
   if (op == Iop_Add64 && left->tag == Iex_Const) {
      const IRExpr* constant = left;
      left = right;
      right = constant;
   }
   if ((op != Iop_Add64 && op != Iop_Sub64) || left->tag != Iex_RdTmp || right->tag != Iex_Const)
      return;
   const Sum* of = &t->sums[left->Iex.RdTmp.tmp];
   ULong distance = right->Iex.Const.con->Ico.U64;
   t->sums[temp].root = of->root;
   t->sums[temp].offset = of->offset + (op == Iop_Add64 ? distance : -distance);
}

/* Blocks and their entries. */

static void begin_block(Translation* t)
{
   block_begin(&t->block);
   t->is_numbered = False;
   t->load = NULL;
}

/* Makes room for a superblock's runs, and reads the cursor. */
static void begin_runs(Translation* t)
{
   IRExpr* limit = number((HWord)stream_limit());
   IRExpr* is_full = temp_of(t, IRExpr_Binop(Iop_CmpLT64U, limit, load_cursor(t)));
   call(t, "stream_flush", stream_flush, is_full);
   t->cursor = load_cursor(t)->Iex.RdTmp.tmp;
   t->used = 0;
}

/* Moves the cursor behind the block's run, and describes the block. */
static void end_block(Translation* t)
{
   if (t->block.len > 0) {
      addStmtToIRSB(t->out, IRStmt_Store(Iend_LE, number((HWord)&stream_cursor), place(t)));
      block_describe(&t->block);
   }
   if (t->used > STREAM_SLACK / 2)
      begin_runs(t);
   begin_block(t);
}

static Entry* add_entry(Translation* t, EntryKind kind, UInt size, ULong address)
{
   if (t->block.len == ENTRIES_MAX)
      end_block(t);
   if (!t->is_numbered) {
      addStmtToIRSB(t->out, IRStmt_Store(Iend_LE, place(t), IRExpr_Const(IRConst_U32(t->block.id))));
      t->used += sizeof t->block.id;
      t->is_numbered = True;
   }
   return block_add(&t->block, kind, size, address);
}

/* Whether an access lies beside an earlier one of its block, so that its address is known from that one's. If
   so, the entry says it; else later accesses may lie beside this one. */
static Bool lies_beside(Translation* t, Entry* entry, const IRExpr* address)
{
   if (address->tag != Iex_RdTmp)
      return False;
   const Sum* sum = &t->sums[address->Iex.RdTmp.tmp];
   Sum* root = &t->sums[sum->root];
   UInt number = entry - t->block.entries;
   if (root->block == t->block.id) {
      entry->back = number - root->entry;
      entry->address = sum->offset - root->entry_offset;
      return True;
   }
   root->block = t->block.id;
   root->entry = number;
   root->entry_offset = sum->offset;
   return False;
}

static void add_access(Translation* t, EntryKind kind, UInt size, IRExpr* address, IRExpr* guard)
{
   Bool is_fixed = address->tag == Iex_Const && !guard;
   Entry* entry = add_entry(t, kind, size, is_fixed ? address->Iex.Const.con->Ico.U64 : 0);
   Bool is_beside = !is_fixed && !guard && lies_beside(t, entry, address);
   entry->flags = (is_fixed ? ENTRY_FIXED : 0) | (guard ? ENTRY_GUARDED : 0) | (is_beside ? ENTRY_BESIDE : 0);
   if (!is_fixed && !is_beside) {
      IRExpr* value = guard ? temp_of(t, IRExpr_ITE(guard, address, number(NO_ADDRESS))) : address;
      addStmtToIRSB(t->out, IRStmt_Store(Iend_LE, place(t), value));
      t->used += sizeof(ULong);
      tl_assert(t->used < STREAM_SLACK);
   }
   Bool may_modify = kind == ENTRY_LOAD && !guard;
   t->load = may_modify ? entry : NULL;
   t->load_address = address;
}

static void add_load(Translation* t, UInt size, IRExpr* address)
{
   add_access(t, ENTRY_LOAD, size, address, NULL);
}

/* A store right after a load of the same bytes is a modify, as lackey and cachegrind have it. */
static void add_store(Translation* t, UInt size, IRExpr* address)
{
   if (t->load && t->load->size == size && eqIRAtom(t->load_address, address)) {
      t->load->kind = ENTRY_MODIFY;
      t->load = NULL;
   } else
      add_access(t, ENTRY_STORE, size, address, NULL);
}

static void add_effects(Translation* t, const IRDirty* helper)
{
   if (helper->mFx == Ifx_Read || helper->mFx == Ifx_Modify)
      add_load(t, helper->mSize, helper->mAddr);
   if (helper->mFx == Ifx_Write || helper->mFx == Ifx_Modify)
      add_store(t, helper->mSize, helper->mAddr);
}

static void add_swap(Translation* t, const IRCAS* swap)
{
   UInt size = sizeofIRType(typeOfIRExpr(t->out->tyenv, swap->dataLo)) * (swap->dataHi ? 2 : 1);
   add_load(t, size, swap->addr);
   add_store(t, size, swap->addr);
}

static void add_linked(Translation* t, const IRStmt* statement)
{
   IRExpr* stored = statement->Ist.LLSC.storedata;
   if (stored)
      add_store(t, sizeofIRType(typeOfIRExpr(t->out->tyenv, stored)), statement->Ist.LLSC.addr);
   else
      add_load(t, sizeofIRType(typeOfIRTemp(t->out->tyenv, statement->Ist.LLSC.result)),
               statement->Ist.LLSC.addr);
}

static void add_guarded_load(Translation* t, const IRLoadG* load)
{
   IRType loaded, widened;
   typeOfIRLoadGOp(load->cvt, &widened, &loaded);
   add_access(t, ENTRY_LOAD, sizeofIRType(loaded), load->addr, load->guard);
}

static void add_guarded_store(Translation* t, const IRStoreG* store)
{
   UInt size = sizeofIRType(typeOfIRExpr(t->out->tyenv, store->data));
   add_access(t, ENTRY_STORE, size, store->addr, store->guard);
}

static Bool begins_first_function(Addr address)
{
   const HChar* name;
   return first_function && VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), address, &name)
          && VG_(strcmp)(name, first_function) == 0;
}

/* Drops the runs so far, and sends those that follow. Only the first call of the function does this: a later one
   would end the pause of a sample. */
static void start_recording(void)
{
   if (!gate_awaits_start())
      return;
   stream_flush();
   gate_start();
}

static void add_instruction(Translation* t, Addr address, UInt size)
{
   if (begins_first_function(address)) {
      end_block(t);
      call(t, "start_recording", start_recording, NULL);
      begin_runs(t);
   }
   t->load = NULL;
   if (has_instructions)
      add_entry(t, ENTRY_INSTRUCTION, size, address);
}

/* Adds what a statement executes, before the statement itself. */
static void add_statement(Translation* t, const IRStmt* statement)
{
   switch (statement->tag) {
      case Ist_IMark:
         add_instruction(t, statement->Ist.IMark.addr, statement->Ist.IMark.len);
         break;
      case Ist_WrTmp: {
         const IRExpr* value = statement->Ist.WrTmp.data;
         learn_sum(t, statement->Ist.WrTmp.tmp, value);
         if (value->tag == Iex_Load)
            add_load(t, sizeofIRType(value->Iex.Load.ty), value->Iex.Load.addr);
         break;
      }
      case Ist_Store:
         add_store(t, sizeofIRType(typeOfIRExpr(t->out->tyenv, statement->Ist.Store.data)),
                   statement->Ist.Store.addr);
         break;
      case Ist_LoadG:
         add_guarded_load(t, statement->Ist.LoadG.details);
         break;
      case Ist_StoreG:
         add_guarded_store(t, statement->Ist.StoreG.details);
         break;
      case Ist_CAS:
         add_swap(t, statement->Ist.CAS.details);
         break;
      case Ist_LLSC:
         add_linked(t, statement);
         break;
      case Ist_Dirty:
         add_effects(t, statement->Ist.Dirty.details);
         break;
      case Ist_Exit:
         end_block(t);
         break;
      default:
         break;
   }
}

/* Copies the code before the first instruction, which checks for changed code. Returns its length. */
static Int copy_preamble(IRSB* out, const IRSB* in)
{
   Int at = 0;
   while (at < in->stmts_used && in->stmts[at]->tag != Ist_IMark)
      addStmtToIRSB(out, in->stmts[at++]);
   return at;
}

IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                 const VexGuestExtents* extents, const VexArchInfo* host, IRType guest_word,
                 IRType host_word)
{
   static Translation t;
   UInt first = block_next_id();
   (void)layout, (void)host;
   tl_assert(guest_word == Ity_I64 && host_word == Ity_I64);
   for (UInt part = 0; part < extents->n_used; part++)
      modules_see(extents->base[part]);
   t.out = deepCopyIRSBExceptStmts(in);
   begin_sums(&t, in->tyenv->types_used);
   Int at = copy_preamble(t.out, in);
   begin_runs(&t);
   begin_block(&t);
   for (; at < in->stmts_used; at++) {
      add_statement(&t, in->stmts[at]);
      addStmtToIRSB(t.out, in->stmts[at]);
   }
   end_block(&t);
   blocks_of_superblock(closure->nraddr, first);
   return t.out;
}
