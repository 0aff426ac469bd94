//! Writes a [`Report`], section by section.

use std::io::Write;

use crate::code::Code;
use crate::error::Result;
use crate::functions::Functions;
use crate::html::Page;
use crate::report::{Facts, Report};
use crate::section::Section;
use crate::sections;

impl Report<'_> {
    /// Writes the page. Nothing is written before the whole page is known.
    ///
    /// **Cost**: a pass over the METHODs and the edges CFG, the questions of the findings, and a digest of
    /// the graph. Lists are cut, so the page has a few hundred kilobytes, and up to one megabyte for each of
    /// at most eight runs.
    ///
    /// # Errors
    /// [`ReportError`](crate::ReportError)
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let code = Code::of(self.graph, &self.task)?;
        let functions = Functions::of(&code)?;
        let facts = Facts { report: self, code, functions };
        let shown: Vec<Section> = Section::ALL.into_iter().filter(|section| self.has(*section)).collect();
        let links = shown.iter().map(|section| (section.name(), section.title()));
        let mut page = Page::begin(&self.title, links);
        for section in &shown {
            self.task.check()?;
            page.begin_section(section.name(), section.title());
            sections::write(*section, &facts, &mut page)?;
            page.end_section();
        }
        self.graph.check()?;
        Ok(out.write_all(&page.end())?)
    }

    /// Whether the report has a section.
    fn has(&self, section: Section) -> bool {
        let has_content = match section {
            Section::Changes => self.before.is_some(),
            Section::Questions => !self.questions.is_empty(),
            _ => true,
        };
        has_content && self.sections.contains(&section)
    }
}
