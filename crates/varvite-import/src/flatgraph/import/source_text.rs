//! Stores the text of source files, and the code of nodes as slices of these texts.
//!
//! The file of a node is the node itself if it is a FILE, else the file that the node names, else the file of
//! the node's parent. The offset of a node in its file is only a hint: the writer compares the texts, and a
//! wrong hint only wastes space.

use std::collections::HashMap;

use varvite::ValueType;
use varvite::columns::{CutInput, TextsInput};

use super::ImportRun;
use super::cpg::SOURCE;
use super::error::ColumnError;
use super::properties::{Column, PropertyColumns, read_property};
use super::utf16::Utf16Offsets;
use crate::flatgraph::FlatgraphFile;

/// No file, or no offset.
const NONE: u32 = u32::MAX;

/// Whether the flatgraph file has the texts of source files, and code with offsets in these texts.
pub(super) fn has_source_text(file: &FlatgraphFile) -> bool {
    let has = |name: &str| file.property_columns().iter().any(|column| &*column.name == name);
    [SOURCE.content, SOURCE.offset, SOURCE.code].into_iter().all(has)
}

/// Reads the code of nodes and the content of files. Code is stored as a slice of the text of its file if it
/// occurs there.
pub(super) fn read_code_and_content(
    import: &ImportRun<'_>,
    layer: u32,
) -> Result<Vec<PropertyColumns>, ColumnError> {
    let content = Column::read(import, SOURCE.content)?;
    let code = Column::read(import, SOURCE.code)?;
    if [&content, &code].iter().any(|column| column.values.value_type() != ValueType::String) {
        let names = [SOURCE.content, SOURCE.code].into_iter();
        return names.map(|name| read_property(import, name, layer)).collect();
    }
    let pool = &import.texts.pool;
    let (source_texts, source_codes) = content.values.distinct_texts(pool);
    import.text_bytes.take(&source_texts)?;
    let files = Files::new(import, &source_texts);
    let places = files.places(import, &content, &source_codes)?;
    let (texts, codes) = code.values.distinct_texts(pool);
    import.text_bytes.take(&texts)?;
    let bytes = pool.text().as_bytes();
    let parents = import.numbering.parents();
    let input = CutInput {
        source_offsets: &content.offsets,
        source: TextsInput { bytes, texts: &source_texts, codes: &source_codes, sorted: false, parents: &[] },
        offsets: &code.offsets,
        parts: TextsInput { bytes, texts: &texts, codes: &codes, sorted: false, parents },
        places: &places,
    };
    let label_sets = [SOURCE.content, SOURCE.code].map(|name| import.indexes.label_sets_for(name));
    let [source_columns, columns] = import.encoder.cut(input, label_sets)?;
    Ok(vec![
        PropertyColumns { spec: content.spec(SOURCE.content, layer), columns: source_columns },
        PropertyColumns { spec: code.spec(SOURCE.code, layer), columns },
    ])
}

/// The texts of files, concatenated.
struct Files<'a> {
    starts: Vec<u64>,
    offsets: Vec<Utf16Offsets<'a>>,
}

impl<'a> Files<'a> {
    fn new(import: &'a ImportRun<'_>, texts: &[(u32, u32)]) -> Self {
        let (mut starts, mut offsets, mut end) = (Vec::new(), Vec::new(), 0);
        for (start, len) in texts {
            starts.push(end);
            end += u64::from(*len);
            let range = *start as usize..*start as usize + *len as usize;
            offsets.push(Utf16Offsets::new(&import.texts.pool.text()[range]));
        }
        Self { starts, offsets }
    }

    /// For each node, the offset at which its code may start in the concatenated texts.
    fn places(
        &self,
        import: &ImportRun<'_>,
        content: &Column,
        codes: &[u32],
    ) -> Result<Vec<u32>, ColumnError> {
        let files = files_of_nodes(import, content, codes)?;
        let mut places = vec![NONE; files.len()];
        let offsets = Column::read(import, SOURCE.offset)?;
        for (node, at) in offsets.owners() {
            places[node as usize] =
                self.place(files[node as usize], offsets.values.number(at)).unwrap_or(NONE);
        }
        Ok(places)
    }

    fn place(&self, file: u32, unit: i64) -> Option<u32> {
        let byte = self.offsets.get(file as usize)?.byte(usize::try_from(unit).ok()?)?;
        u32::try_from(self.starts[file as usize] + byte as u64).ok()
    }
}

/// For each node, the number of its file's text; `codes` has this number for each value of `content`.
fn files_of_nodes(import: &ImportRun<'_>, content: &Column, codes: &[u32]) -> Result<Vec<u32>, ColumnError> {
    let mut files = vec![NONE; import.numbering.node_count() as usize];
    content.owners().for_each(|(node, at)| files[node as usize] = codes[at]);
    let text = |column: &Column, at| import.texts.pool.get(usize::try_from(column.values.number(at)).ok()?);
    let mut by_name: HashMap<&str, u32> = HashMap::new();
    let names = Column::read_of_label(import, SOURCE.file_name, SOURCE.file)?;
    for (node, at) in names.owners() {
        let file = files[node as usize];
        text(&names, at).filter(|_| file != NONE).map(|name| *by_name.entry(name).or_insert(file));
    }
    let names_of_files = Column::read(import, SOURCE.name_of_file)?;
    for (node, at) in names_of_files.owners() {
        if let Some(file) = text(&names_of_files, at).and_then(|name| by_name.get(name)) {
            files[node as usize] = *file;
        }
    }
    // A parent in a forest has a smaller id than its children.
    for (node, parent) in import.numbering.parents().iter().enumerate() {
        if files[node] == NONE && (*parent as usize) < node {
            files[node] = files[*parent as usize];
        }
    }
    Ok(files)
}
