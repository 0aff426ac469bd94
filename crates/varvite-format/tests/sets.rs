//! Sets of nodes: every reader agrees with a plain list of booleans.

use proptest::collection::vec;
use proptest::prelude::*;
use varvite_format::{Encoding, NodeSet, Profile, SetRanks, encode_members, encode_set};
use varvite_testing::iterators::check_exact;
use varvite_testing::memory::Memory;

fn words_of(truths: &[bool]) -> Vec<u64> {
    let word = |chunk: &[bool]| {
        chunk.iter().enumerate().fold(0, |word, (bit, truth)| word | u64::from(*truth) << bit)
    };
    truths.chunks(64).map(word).collect()
}

/// Encodes a set and checks every method for every node.
fn check(truths: &[bool], profile: Profile) -> Encoding {
    let nodes = truths.len() as u32;
    let words = words_of(truths);
    let column = encode_set(&words, nodes, profile).unwrap();
    assert_eq!(column, encode_set(&words, nodes, profile).unwrap(), "equal input, equal bytes");
    let (memory, root) = Memory::of(&column);
    let set = NodeSet::open(&memory, root, nodes).unwrap();
    let members: Vec<u32> = (0..nodes).filter(|node| truths[*node as usize]).collect();
    assert_eq!(column, encode_members(&members, nodes, profile).unwrap(), "of its members");
    assert_eq!(set.len() as usize, members.len());
    assert_eq!(set.is_empty(), members.is_empty());
    for (node, truth) in (0..nodes).zip(truths) {
        let below = members.partition_point(|member| *member < node);
        assert_eq!(set.contains(node), *truth, "contains {node}");
        assert_eq!(set.member_rank(node), truth.then_some(below), "rank of {node}");
        assert_eq!(set.rank(node), Some(below), "rank {node}");
    }
    for outside in [nodes, nodes.saturating_add(1), nodes.saturating_add(511), u32::MAX] {
        assert!(!set.contains(outside));
        assert_eq!(set.member_rank(outside), None);
        assert_eq!(set.rank(outside), Some(members.len()));
        check_exact(set.iter_from(outside), &[]);
    }
    let selected = (0..members.len()).map(|rank| set.select(rank).unwrap());
    assert!(selected.eq(members.iter().copied()));
    assert_eq!(set.select(members.len()), None);
    for step in [1, 2, 7, 700, 3000] {
        let mut ranks = SetRanks::new(&set);
        let some = (0..members.len()).step_by(step);
        let back_and_forth = some.flat_map(|rank| [rank, rank / 2]).chain([members.len(), 0]);
        back_and_forth.for_each(|rank| assert_eq!(ranks.member(rank), members.get(rank).copied(), "{rank}"));
        let mut ranks = SetRanks::new(&set);
        (0..members.len()).step_by(step).for_each(|rank| assert_eq!(ranks.member(rank), Some(members[rank])));
    }
    check_exact(set.iter(), &members);
    let mut visited = Vec::new();
    let visit = |member| {
        visited.push(member);
        Some(())
    };
    assert_eq!(set.try_for_each(visit), Some(()));
    assert_eq!(visited, members);
    for start in (0..nodes).step_by(61) {
        let from = members.partition_point(|member| *member < start);
        check_exact(set.iter_from(start), &members[from..]);
        for limit in [0, 1, 7, 8, 63, 64, 65, 500] {
            let mut read = vec![7];
            set.append_from(start, limit, &mut read);
            assert_eq!(read[1..], members[from..members.len().min(from + limit)], "{limit} from {start}");
        }
    }
    for start in (0..nodes + 2).step_by(61) {
        for end in [start, start + 1, start + 64, start + 200, nodes, nodes + 70] {
            let (end, mut bits) = (end.max(start), vec![7]);
            let ranks = set.append_bits(start..end, &mut bits).unwrap();
            let is_member = |node: u32| truths.get(node as usize).copied().unwrap_or(false);
            assert_eq!(
                bits[1..],
                words_of(&(start..end).map(is_member).collect::<Vec<_>>()),
                "{start}..{end}"
            );
            let below = |end: u32| members.partition_point(|member| *member < end);
            assert_eq!(ranks, below(start)..below(end));
        }
    }
    if let Some(found) = set.words() {
        assert!(found.eq(words));
    }
    column.row.encoding
}

#[test]
fn lengths_around_the_borders_of_words_and_rank_blocks() {
    for border in [0usize, 64, 128, 256, 384, 512, 1024, 4096] {
        for nodes in border.saturating_sub(1)..=border + 1 {
            for step in [1, 2, 3, 63, 64, 65, 127, 128] {
                let truths: Vec<bool> = (0..nodes).map(|node| node % step == step - 1).collect();
                for profile in Profile::ALL {
                    check(&truths, profile);
                }
            }
        }
    }
}

#[test]
fn each_encoding_is_chosen_for_a_set_made_for_it() {
    let set = |test: fn(usize) -> bool| (0..3000).map(test).collect::<Vec<bool>>();
    let cases = [
        (set(|_| false), Encoding::EmptySet),
        (set(|_| true), Encoding::AllSet),
        (set(|node| (70..=2999).contains(&node)), Encoding::RangeSet),
        (set(|node| node == 5), Encoding::RangeSet),
        (set(|node| node % 100 == 0), Encoding::SparseSet),
        (set(|node| node % 7 == 0), Encoding::BitmapSet),
    ];
    for (truths, expected) in cases {
        for profile in Profile::ALL {
            assert_eq!(check(&truths, profile), expected, "{profile:?}");
        }
    }
}

#[test]
fn few_members_far_apart_are_few_bytes() {
    for members in [&[3, 39_999][..], &[3, 20_000, 20_001, 39_999], &[0, 2_047, 2_048, 2_304, 30_000]] {
        let mut truths = vec![false; 40_000];
        members.iter().for_each(|member| truths[*member] = true);
        for profile in Profile::ALL {
            assert_eq!(check(&truths, profile), Encoding::SparseSet);
            let column = encode_set(&words_of(&truths), 40_000, profile).unwrap();
            assert!(column.plain_bytes() < 300, "{profile:?}: {} bytes", column.plain_bytes());
        }
    }
}

#[test]
fn rank_words_are_stored_except_in_the_archive() {
    for (profile, segments) in [(Profile::Direct, 2), (Profile::Compact, 2), (Profile::Archive, 1)] {
        let column = encode_set(&[0x5555], 64, profile).unwrap();
        assert_eq!(column.segments.len(), segments, "{profile:?}");
    }
}

#[test]
fn a_set_must_fit_its_graph() {
    let cases =
        [(0u64, Encoding::AllSet), (4, Encoding::EmptySet), (5, Encoding::RangeSet), (4, Encoding::AllSet)];
    for (count, encoding) in cases {
        let (mut memory, root) = Memory::of(&encode_set(&[0b110], 3, Profile::Direct).unwrap());
        memory.rows[0].count = count;
        memory.rows[0].encoding = encoding;
        assert!(NodeSet::open(&memory, root, 3).is_err(), "{count} {encoding:?}");
    }
    for base in [-1, 2, i64::MAX] {
        let (mut memory, root) = Memory::of(&encode_set(&[0b110], 3, Profile::Direct).unwrap());
        memory.rows[0].base = base;
        assert!(NodeSet::open(&memory, root, 3).is_err(), "{base}");
    }
}

proptest! {
    #[test]
    fn any_set_answers_as_a_list_does(
        truths in (0usize..3000, 0u32..=100).prop_flat_map(|(nodes, percent)| {
            vec((0u32..100).prop_map(move |draw| draw < percent), nodes)
        }),
        profile in prop::sample::select(Profile::ALL.to_vec()),
    ) {
        check(&truths, profile);
    }

    #[test]
    fn a_few_members_of_many_answer_as_a_list_does(
        nodes in 1usize..20_000, places in vec(any::<prop::sample::Index>(), 0..100),
        profile in prop::sample::select(Profile::ALL.to_vec()),
    ) {
        let mut truths = vec![false; nodes];
        places.iter().for_each(|place| truths[place.index(nodes)] = true);
        check(&truths, profile);
    }
}

proptest! {
    #[test]
    fn a_cursor_says_what_the_set_says(
        members in prop::collection::btree_set(0u32..3000, 0..1500),
        nodes in prop::collection::vec(0u32..3100, 1..200),
        is_rising: bool,
    ) {
        let (mut words, mut nodes) = (vec![0u64; 3000usize.div_ceil(64)], nodes);
        members.iter().for_each(|node| words[*node as usize / 64] |= 1 << (node % 64));
        if is_rising {
            nodes.sort_unstable();
        }
        for profile in Profile::ALL {
            let (memory, root) = Memory::of(&encode_set(&words, 3000, profile).unwrap());
            let set = NodeSet::open(&memory, root, 3000).unwrap();
            let mut cursor = set.cursor();
            for node in &nodes {
                let expected = members.contains(node).then(|| members.range(..node).count());
                prop_assert_eq!(cursor.member_rank(*node), expected, "{}", node);
            }
        }
    }

    #[test]
    fn a_run_is_members_that_follow_each_other(
        members in prop::collection::btree_set(0u32..1000, 0..900),
        nodes in prop_oneof![
            prop::collection::vec(0u32..1100, 0..200),
            vec(prop::bool::weighted(0.97), 1100)
                .prop_map(|kept| (0..1100).filter(|node| kept[*node as usize]).collect::<Vec<u32>>()),
        ],
        before in prop::option::of(0u32..1000),
    ) {
        let mut words = vec![0u64; 1000usize.div_ceil(64)];
        members.iter().for_each(|node| words[*node as usize / 64] |= 1 << (node % 64));
        for profile in Profile::ALL {
            let (memory, root) = Memory::of(&encode_set(&words, 1000, profile).unwrap());
            let set = NodeSet::open(&memory, root, 1000).unwrap();
            let mut cursor = set.cursor();
            before.into_iter().for_each(|node| _ = cursor.member_rank(node));
            let (taken, ranks) = cursor.run(&nodes);
            prop_assert!(nodes[..taken].is_sorted_by(|a, b| a < b));
            let found: Vec<usize> = nodes[..taken].iter().filter_map(|node| set.member_rank(*node)).collect();
            prop_assert_eq!(found, ranks.collect::<Vec<_>>());
            if let Some(first) = nodes.get(taken) {
                prop_assert_eq!(cursor.member_rank(*first), set.member_rank(*first), "and goes on from there");
            }
        }
    }

    #[test]
    fn a_run_of_a_bitmap_takes_what_it_can(start in 0u32..300, len in 2u32..500) {
        let mut words: Vec<u64> = vec![0x5555_5555_5555_5555; 1000usize.div_ceil(64)];
        words[1000 / 64] &= (1 << (1000 % 64)) - 1;
        let (memory, root) = Memory::of(&encode_set(&words, 1000, Profile::Direct).unwrap());
        let set = NodeSet::open(&memory, root, 1000).unwrap();
        let nodes: Vec<u32> = (start..start + len).collect();
        prop_assert_eq!(set.cursor().run(&nodes).0, nodes.len());
        let odd: Vec<u32> = nodes.iter().copied().filter(|node| node % 4 != 2).collect();
        prop_assert!(set.cursor().run(&odd).0 < 4, "a member lies between");
    }
}
