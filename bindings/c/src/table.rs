//! `varvite_export_arrow`, `varvite_run_arrow` and `varvite_run_side_arrow`: parts of a graph, and the rows
//! of a pipeline, as Arrow record batches.

use varvite::Graph;
use varvite::arrow::{self, RecordBatch};
use varvite_arrow::{ArrowArray, ArrowArrayStream, ArrowSchema, give};

use crate::c_type::Char;
use crate::failure::Failure;
use crate::graph::GraphObject;
use crate::handle::Handle;
use crate::pointer::{Items, Options, Out};
use crate::run::{RunObject, RunSettings, compiled};
use crate::schema::{edge_label_at, property_at};
use crate::status::Status;

/// The kinds of tables, in the order of their numbers in the header.
#[cfg(test)]
pub(crate) const TABLES: [&str; 3] = ["TABLE_LABELS", "TABLE_EDGES", "TABLE_PROPERTY"];
const LABELS: u32 = 0;
const EDGES: u32 = 1;
const PROPERTY: u32 = 2;

exports! {
    /// A part of the graph as a table.
    fn varvite_export_arrow(
        graph: Handle<GraphObject>,
        table: u32,
        number: u32,
        schema: Out<'_, ArrowSchema>,
        array: Out<'_, ArrowArray>,
    ) {
        let open = graph.graph()?;
        let (given_schema, given_array) = give(&batch_of(&open.graph, table, number)?);
        schema.write(given_schema);
        array.write(given_array);
        Ok(Status::Ok)
    }

    /// Compiles a plan and returns its rows as a stream of record batches.
    fn varvite_run_arrow(
        graph: Handle<GraphObject>,
        plan: Items<'_, Char>,
        length: u64,
        options: Options<'_, RunSettings>,
        stream: Out<'_, ArrowArrayStream>,
    ) {
        let open = graph.graph()?;
        let options = options.options();
        let plan = compiled(plan.text(length)?, &open.graph, &options)?;
        stream.write(varvite_arrow::stream(plan.run_arrow(options), Box::new(open)));
        Ok(Status::Ok)
    }

    /// The rows that passed a step `side` as a table.
    fn varvite_run_side_arrow(
        run: Handle<RunObject>,
        name: Items<'_, Char>,
        length: u64,
        schema: Out<'_, ArrowSchema>,
        array: Out<'_, ArrowArray>,
    ) {
        let name = name.text(length)?;
        let (given_schema, given_array) = give(&run.side_arrow(name)?);
        schema.write(given_schema);
        array.write(given_array);
        Ok(Status::Ok)
    }
}

fn batch_of(graph: &Graph, table: u32, number: u32) -> Result<RecordBatch, Failure> {
    Ok(match table {
        LABELS => arrow::labels(graph)?,
        EDGES => arrow::edges(graph, edge_label_at(graph, number)?)?,
        PROPERTY => arrow::property(graph, property_at(graph, number)?)?,
        other => {
            let expected = "one of the tables";
            return Err(Failure::Value { argument: "table", expected, found: other.into() });
        }
    })
}
