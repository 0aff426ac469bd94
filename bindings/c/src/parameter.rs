//! `varvite_plan_bind`: replaces the parameters of a plan by values.

use varvite::pipeline::Template;

use crate::c_type::Char;
use crate::failure::Failure;
use crate::pointer::{FieldItems, Items, Out, OutItems, c_struct};
use crate::room::Room;

c_struct! {
    /// A value for a parameter, as text.
    CParameter = "varvite_parameter" {
        name: FieldItems<Char>,
        name_length: u64,
        value: FieldItems<Char>,
        value_length: u64,
    }
}

impl CParameter {
    fn texts(&self) -> Result<(&str, &str), Failure> {
        let name = self.name.letters("parameters.name", self.name_length)?;
        Ok((name, self.value.letters("parameters.value", self.value_length)?))
    }
}

exports! {
    /// Writes the plan with each parameter replaced by its value.
    fn varvite_plan_bind(
        plan: Items<'_, Char>,
        length: u64,
        parameters: Items<'_, CParameter>,
        parameter_count: u64,
        bound: OutItems<'_, Char>,
        capacity: u64,
        bound_length: Out<'_, u64>,
    ) {
        let template = Template::from_json(plan.text(length)?)?;
        let parameters = parameters.slice(parameter_count)?;
        let values = parameters.iter().map(CParameter::texts).collect::<Result<Vec<_>, _>>()?;
        let json = template.bind_texts(values)?.to_json();
        Room { items: bound, capacity, count: bound_length }.fill(json.bytes().map(|byte| byte as Char))
    }
}
