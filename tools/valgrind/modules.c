/* See modules.h. */

#include "modules.h"

#include "stream.h"

#include "pub_tool_aspacehl.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_xarray.h"

#define PATH_MAX 4096
/* The most files of a trace. */
#define MODULES_MAX 65536

/* A mapped part of a file. An item of the stream has these fields and then the path. */
typedef struct {
   ULong address;
   ULong len;
   ULong file_offset;
   ULong is_code;
} Module;

typedef struct {
   Module module;
   ULong device, file;
   Bool is_file;
} Known;

static XArray* known;
static UInt sent;

static Bool is_same(const Known* left, const Known* right)
{
   return left->module.address == right->module.address && left->module.len == right->module.len
          && left->module.file_offset == right->module.file_offset
          && left->module.is_code == right->module.is_code && left->device == right->device
          && left->file == right->file && left->is_file == right->is_file;
}

static Bool overlaps(const Module* left, const Module* right)
{
   return left->address < right->address + right->len && right->address < left->address + left->len;
}

static Known known_of(const NSegment* segment)
{
   return (Known){
      .module = { segment->start, segment->end - segment->start + 1, segment->offset, segment->hasX },
      .device = segment->dev,
      .file = segment->ino,
      .is_file = segment->kind == SkFileC,
   };
}

/* Adds a mapped part. False if it is known already. Forgets the parts that it replaces. */
static Bool learn(const Known* part)
{
   if (!known)
      known = VG_(newXA)(VG_(malloc), "varvite.modules", VG_(free), sizeof(Known));
   for (Word at = VG_(sizeXA)(known) - 1; at >= 0; at--) {
      const Known* other = VG_(indexXA)(known, at);
      if (is_same(other, part))
         return False;
      if (overlaps(&other->module, &part->module))
         VG_(removeIndexXA)(known, at);
   }
   VG_(addToXA)(known, part);
   return True;
}

/* Sends a part of a file or, without a path, of memory that belongs to no file. */
static void send_module(const Module* module, const HChar* path)
{
   static UChar item[sizeof(Module) + PATH_MAX];
   UInt path_len = VG_(strlen)(path);
   if (path_len > PATH_MAX || sent == MODULES_MAX) {
      stream_leave_out_module();
      return;
   }
   VG_(memcpy)(item, module, sizeof *module);
   VG_(memcpy)(item + sizeof *module, path, path_len);
   stream_put(ITEM_MODULE, item, sizeof *module + path_len);
   sent++;
}

static void see_all(void)
{
   Int found, room = 64;
   Addr* starts = VG_(malloc)("varvite.starts", room * sizeof(Addr));
   while ((found = VG_(am_get_segment_starts)(SkFileC, starts, room)) < 0) {
      /* The allocation may itself change the segments. */
      room = 2 * -found;
      starts = VG_(realloc)("varvite.starts", starts, room * sizeof(Addr));
   }
   for (Int at = 0; at < found; at++) {
      const NSegment* segment = VG_(am_find_nsegment)(starts[at]);
      Known part = known_of(segment);
      const HChar* path = VG_(am_get_filename)(segment);
      if (learn(&part) && path && path[0])
         send_module(&part.module, path);
   }
   VG_(free)(starts);
}

/* Whether a part of a file was known at addresses of this part. */
static Bool hides_file(const Module* module)
{
   for (Word at = known ? VG_(sizeXA)(known) - 1 : -1; at >= 0; at--) {
      const Known* other = VG_(indexXA)(known, at);
      if (other->is_file && overlaps(&other->module, module))
         return True;
   }
   return False;
}

/* The part that was seen last. */
static Known last;

void modules_send_again(void)
{
   if (known)
      VG_(deleteXA)(known);
   known = NULL;
   sent = 0;
   see_all();
}

void modules_see(Addr address)
{
   const NSegment* segment = VG_(am_find_nsegment)(address);
   if (!segment)
      return;
   Known part = known_of(segment);
   if (is_same(&part, &last))
      return;
   last = part;
   if (part.is_file)
      see_all();
   else if (hides_file(&part.module) && learn(&part))
      send_module(&part.module, "");
}
