//! Files of flatgraph: reading any bytes returns values or an error.

use varvite_import::flatgraph::{FlatgraphError, FlatgraphFile, Scratch};

/// Decodes every column of a flatgraph file.
pub fn read_flatgraph(bytes: &[u8]) {
    if let Ok(file) = FlatgraphFile::from_bytes(bytes.to_vec()) {
        let _ = decode_all(&file);
    }
}

fn decode_all(file: &FlatgraphFile) -> Result<(), FlatgraphError> {
    let (mut scratch, mut quantities, mut neighbors) = (Scratch::new(), Vec::new(), Vec::new());
    let _ = file.decode_string_pool(&mut scratch);
    for column in file.edge_columns() {
        let slots = file.decode_quantities(column, &mut scratch, &mut quantities)?;
        file.decode_neighbors(column, slots, &mut scratch, &mut neighbors)?;
        file.decode_edge_property(column, slots, &mut scratch)?;
    }
    for column in file.property_columns() {
        let slots = file.decode_quantities(column, &mut scratch, &mut quantities)?;
        file.decode_property(column, slots, &mut scratch)?;
    }
    Ok(())
}
