//! `varvite_recorder` and `varvite_stream`: traces that the calling program records.

use std::sync::{Arc, Mutex, PoisonError};

use varvite_codec::{Allocator, Buffer, Codec};
use varvite_trace::{Clock, Field, Options as TraceOptions, RecordLen, Recorder, Schema, Split, Stream};

use crate::c_type::Char;
use crate::callback::{CAllocator, CSink, CallerSink};
use crate::failure::Failure;
use crate::handle::{Counted, Handle, Kind};
use crate::pointer::{Byte, FieldItems, In, Items, OptionalIn, Options, Out, SizedFirst, c_struct};
use crate::status::Status;

/// The object behind a recorder handle.
pub(crate) struct RecorderObject(Arc<Recorder<CallerSink>>);

impl Kind for RecorderObject {
    const NAME: &'static str = "recorder";
    const FOUND: &'static str = "it is one of a recorder";
    const C: &'static str = "varvite_recorder";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = None;
}

/// The object behind a stream handle; it keeps its recorder open. The mutex makes the type `Sync`. It is
/// never locked, because calls that use a stream have exclusive access to it.
pub(crate) struct StreamObject(Mutex<CallerStream>);

impl Kind for StreamObject {
    const NAME: &'static str = "stream";
    const FOUND: &'static str = "it is one of a stream";
    const C: &'static str = "varvite_stream";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = None;
}

type CallerStream = Stream<Arc<Recorder<CallerSink>>, Memory, CallerSink>;

/// The working memory of a stream.
struct Memory(Buffer);

impl AsMut<[u8]> for Memory {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl StreamObject {
    fn stream(&mut self) -> &mut CallerStream {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

c_struct! {
    /// One field of a record.
    CField = "varvite_trace_field" {
        name: [Char; 16],
        width: u32,
        is_delta: u32,
    }
}

c_struct! {
    /// The options of a trace.
    TraceSettings = "varvite_trace_options" {
        size: u32,
        codec: u32,
        level: i32,
        block_length: u32,
        id: [u8; 16],
        anchors: u64,
        content: FieldItems<Char>,
        fields: FieldItems<CField>,
        field_count: u32,
        split: u32,
        clock: u32,
        is_variable: u32,
    }
}

/// The ways to split the records of a block, in the order of their numbers in the header.
#[cfg(test)]
pub(crate) const SPLITS: [&str; 3] = ["SPLIT_NONE", "SPLIT_FIELDS", "SPLIT_REFERENCES"];
const SPLIT_NONE: u32 = 0;
const SPLIT_FIELDS: u32 = 1;
const SPLIT_REFERENCES: u32 = 2;

/// The clocks of a trace, in the order of their numbers in the header.
pub(crate) const CLOCKS: [(&str, Clock); 3] = [
    ("CLOCK_TICKS", Clock::Ticks),
    ("CLOCK_UNIX_NANOSECONDS", Clock::UnixNanoseconds),
    ("CLOCK_UNIX_MICROSECONDS", Clock::UnixMicroseconds),
];

const DEFAULT_LEVEL: i32 = i32::MIN;
const DEFAULT_BLOCK: u32 = 256 << 10;

impl Default for TraceSettings {
    fn default() -> Self {
        Self {
            size: size_of::<Self>() as u32,
            codec: Codec::Lz4 as u32,
            level: DEFAULT_LEVEL,
            block_length: 0,
            id: [0; 16],
            anchors: 0,
            content: FieldItems::NULL,
            fields: FieldItems::NULL,
            field_count: 0,
            split: SPLIT_FIELDS,
            clock: 0,
            is_variable: 0,
        }
    }
}

impl SizedFirst for TraceSettings {}

impl TraceSettings {
    fn options(&self) -> Result<TraceOptions, Failure> {
        let codec = u8::try_from(self.codec).ok().and_then(Codec::from_number);
        let codec = codec.ok_or_else(|| value("options.codec", "one of the codecs", self.codec))?;
        Ok(TraceOptions {
            schema: self.schema()?,
            codec,
            level: if self.level == DEFAULT_LEVEL { codec.default_level() } else { self.level },
            block_len: if self.block_length == 0 { DEFAULT_BLOCK } else { self.block_length },
            id: self.id,
        })
    }

    fn schema(&self) -> Result<Schema, Failure> {
        let fields = self.fields.slice("options.fields", self.field_count.into())?;
        let split = match self.split {
            SPLIT_NONE => Split::None,
            SPLIT_FIELDS => Split::Fields,
            SPLIT_REFERENCES => Split::References { anchors: self.anchors },
            other => return Err(value("options.split", "one of the splits", other)),
        };
        let clock = CLOCKS.get(self.clock as usize);
        Ok(Schema {
            content: self.content.text("options.content")?.to_owned(),
            len: if self.is_variable == 0 { RecordLen::Fixed } else { RecordLen::Variable },
            fields: fields.iter().map(CField::field).collect::<Result<_, _>>()?,
            split,
            clock: clock.ok_or_else(|| value("options.clock", "one of the clocks", self.clock))?.1,
        })
    }
}

impl CField {
    fn field(&self) -> Result<Field, Failure> {
        let width = u8::try_from(self.width)
            .map_err(|_| value("options.fields.width", "1, 2, 4 or 8", self.width))?;
        Ok(Field { name: self.name.map(|byte| byte as u8), width, delta: self.is_delta != 0 })
    }
}

fn value(argument: &'static str, expected: &'static str, found: u32) -> Failure {
    Failure::Value { argument, expected, found: found.into() }
}

exports! {
    /// Begins a trace.
    fn varvite_recorder_create(
        sink: In<'_, CSink>,
        options: Options<'_, TraceSettings>,
        recorder: Out<'_, Counted<RecorderObject>>,
    ) {
        let created = Recorder::create(sink.sink()?, &options.options()?)?;
        recorder.write(Counted::new(RecorderObject(Arc::new(created))));
        Ok(Status::Ok)
    }

    /// Ends a trace.
    fn varvite_recorder_finish(recorder: Counted<RecorderObject>) {
        let ended = recorder.take(|object| match Arc::strong_count(&object.0) - 1 {
            0 => Ok(()),
            streams => Err(Failure::StreamsOpen { streams }),
        })?;
        let recorder = Arc::into_inner(ended.0).ok_or(Failure::StreamsOpen { streams: 1 })?;
        recorder.finish()?;
        Ok(Status::Ok)
    }

    /// Opens the stream of a thread.
    fn varvite_stream_open(
        recorder: Handle<RecorderObject>,
        thread: u64,
        allocator: OptionalIn<'_, CAllocator>,
        stream: Out<'_, Counted<StreamObject>>,
    ) {
        let allocator = allocator.map_or_else(|| Ok(Allocator::global()), CAllocator::allocator)?;
        recorder.read(|object| {
            let memory = allocator.zeros(object.0.memory_needed()).map_err(varvite_trace::TraceError::Compress)?;
            let opened = Stream::new(Arc::clone(&object.0), thread, Memory(memory), &allocator)?;
            stream.write(Counted::new(StreamObject(Mutex::new(opened))));
            Ok(Status::Ok)
        })
    }

    /// Appends a record to a stream.
    fn varvite_stream_push(stream: Counted<StreamObject>, record: Items<'_, Byte>, length: u64) {
        let record = record.bytes(length)?;
        stream.change(|object| Ok(object.stream().push(record)?))?;
        Ok(Status::Ok)
    }

    /// Appends many records of fixed length to a stream.
    fn varvite_stream_push_all(stream: Counted<StreamObject>, records: Items<'_, Byte>, length: u64) {
        let records = records.bytes(length)?;
        stream.change(|object| Ok(object.stream().push_all(records)?))?;
        Ok(Status::Ok)
    }

    /// Sets the time of a stream's next records.
    fn varvite_stream_set_time(stream: Counted<StreamObject>, time: u64) {
        stream.change(|object| Ok(object.stream().set_time(time)?))?;
        Ok(Status::Ok)
    }

    /// Writes the stream's buffered records as a block.
    fn varvite_stream_flush(stream: Counted<StreamObject>) {
        stream.change(|object| Ok(object.stream().flush()?))?;
        Ok(Status::Ok)
    }

    /// Writes the stream's buffered records, and ends the stream.
    fn varvite_stream_finish(stream: Counted<StreamObject>) {
        let ended = stream.take(|_| Ok(()))?;
        ended.0.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
        Ok(Status::Ok)
    }
}
