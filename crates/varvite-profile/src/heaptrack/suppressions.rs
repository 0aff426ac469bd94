//! Suppression rules in LeakSanitizer's format: they name leaks that are not reported.

/// heaptrack's default rules, for intended leaks of the C library and of GLib.
const BUILT_IN: [&str; 7] = [
    "__nss_module_allocate",
    "__gconv_read_conf",
    "__new_exitfn",
    "tzset_internal",
    "dl_open_worker",
    "g_main_context_new",
    "g_thread_self",
];

/// Maximum number of rules from the program, and maximum length of a rule in bytes. They are limited since
/// every text of a profile is compared with all rules.
const RULES_MAX: usize = 1_000;
const RULE_BYTES: usize = 4 << 10;

/// Suppression rules. A leak is left out if any function, file or module on its stack matches a rule.
#[derive(Clone, Debug)]
pub(super) struct Suppressions(Vec<Rule>);

/// A rule: the texts between its asterisks. A name must contain all of them, in this order.
#[derive(Clone, Debug)]
struct Rule {
    parts: Vec<String>,
    at_start: bool,
    at_end: bool,
}

impl Default for Suppressions {
    fn default() -> Self {
        Self(BUILT_IN.iter().map(|rule| Rule::of(rule)).collect())
    }
}

impl Suppressions {
    /// Adds a rule of the program, which has the form `leak:PATTERN`. Returns false if the rule has another
    /// form or is too long, or there are too many rules.
    pub(super) fn add(&mut self, rule: &str) -> bool {
        let pattern = rule.trim().strip_prefix("leak:");
        let pattern = pattern.filter(|it| self.0.len() < RULES_MAX && it.len() <= RULE_BYTES);
        pattern.map(|pattern| self.0.push(Rule::of(pattern))).is_some()
    }

    /// Whether a rule matches a name.
    pub(super) fn match_name(&self, name: &str) -> bool {
        self.0.iter().any(|rule| rule.matches(name))
    }
}

impl Rule {
    fn of(pattern: &str) -> Self {
        let (at_start, pattern) = (pattern.starts_with('^'), pattern.strip_prefix('^').unwrap_or(pattern));
        let (at_end, pattern) = (pattern.ends_with('$'), pattern.strip_suffix('$').unwrap_or(pattern));
        Self { parts: pattern.split('*').map(str::to_owned).collect(), at_start, at_end }
    }

    fn matches(&self, name: &str) -> bool {
        let (mut rest, last) = (name, self.parts.len() - 1);
        for (number, part) in self.parts.iter().enumerate() {
            let is_held_at_start = number == 0 && self.at_start;
            let is_held_at_end = number == last && self.at_end;
            let found = match (is_held_at_start, is_held_at_end) {
                (true, true) => (rest == part).then_some(0),
                (true, false) => rest.starts_with(part.as_str()).then_some(0),
                (false, true) => rest.ends_with(part.as_str()).then(|| rest.len() - part.len()),
                (false, false) => rest.find(part.as_str()),
            };
            let Some(at) = found else { return false };
            rest = &rest[at + part.len()..];
        }
        !name.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_parts_of_names_with_anchors_and_asterisks() {
        for (pattern, name, is_matched) in [
            ("tzset", "__tzset_internal", true),
            ("^tzset", "__tzset_internal", false),
            ("^__tz", "__tzset_internal", true),
            ("internal$", "__tzset_internal", true),
            ("tzset$", "__tzset_internal", false),
            ("^__tzset_internal$", "__tzset_internal", true),
            ("tz*nal", "__tzset_internal", true),
            ("^tz*nal$", "tz", false),
            ("nal*tz", "__tzset_internal", false),
            ("^a*b*c$", "a.b.c", true),
            ("^ab*ba$", "aba", false),
            ("a", "", false),
        ] {
            assert_eq!(Rule::of(pattern).matches(name), is_matched, "{pattern} in {name}");
        }
        let mut suppressions = Suppressions::default();
        assert!(suppressions.match_name("__new_exitfn") && !suppressions.match_name("main"));
        assert!(suppressions.add("leak:main") && !suppressions.add("main"));
        assert!(suppressions.match_name("main"));
    }
}
