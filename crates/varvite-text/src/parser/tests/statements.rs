use super::check;

#[test]
fn a_query_is_a_chain_of_steps() {
    check("cpg.call.l", "(. (. cpg call) l)");
}
