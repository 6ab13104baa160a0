//! The recursive name of a common table.
//!
//! To the engine a common table is recursive when its body is a UNION (not BY NAME), and then its name is that of the common table in
//! the right arm alone: in `t AS (FROM t UNION FROM t UNION FROM t)` the first two are tables. Which arm is the last one
//! shows only at its end, so what has the name there is held until then.

use super::{Reader, Reference, Visible};
use crate::lex::Keyword;

/// What follows a UNION.
#[derive(Debug)]
pub(super) struct Arm {
    name: String,
    /// Places among the references that have the name.
    held: Vec<usize>,
    /// The arm was in a bracket: `(… UNION …)`.
    is_closed: bool,
}

impl Reader<'_> {
    /// After `operator`, in the innermost bracket.
    pub(super) fn set_operation(&mut self, operator: Keyword, by_name: bool) {
        let place = self.around.len();
        let lent = std::mem::take(&mut self.frame.lent);
        self.undefine(lent);
        let frame = &mut self.frame;
        frame.is_right = true;
        // `a UNION b INTERSECT c` is `a UNION (b INTERSECT c)`.
        let ends =
            operator != Keyword::Intersect || frame.arm.as_ref().is_some_and(|arm| arm.is_closed);
        if ends && let Some(arm) = frame.arm.take() {
            let arm = self.close_arm(arm);
            // An arm around this one may mean them.
            let around = self
                .visible
                .get(&arm.name)
                .and_then(|visible| visible.arms.last());
            if let Some(&around) = around {
                self.hold(around, arm.held);
            }
        }
        if operator == Keyword::Union
            && !by_name
            && let Some(name) = self.frame.recursive_name.clone()
        {
            self.visible
                .entry(name.clone(), Visible::default())
                .arms
                .push(place);
            self.frame.arm = Some(Arm {
                name,
                held: Vec::new(),
                is_closed: false,
            });
        }
    }

    /// References that are none if the arm of that frame is the last one.
    pub(super) fn hold(&mut self, frame: usize, mut places: Vec<usize>) {
        let frame = self.around.get_mut(frame).unwrap_or(&mut self.frame);
        if let Some(arm) = &mut frame.arm {
            arm.held.append(&mut places);
        }
    }

    /// Takes the name of an arm out of scope.
    pub(super) fn close_arm(&mut self, mut arm: Arm) -> Arm {
        if !arm.is_closed
            && let Some(visible) = self.visible.get_mut(&arm.name)
        {
            visible.arms.pop();
        }
        arm.is_closed = true;
        arm
    }

    /// The arm was the last one: what has the name in it is the common table.
    pub(super) fn drop_held(&mut self, arm: Option<Arm>) {
        for place in arm.into_iter().flat_map(|arm| arm.held) {
            if let Some(found) = self.found.get_mut(place) {
                *found = None::<Reference>;
            }
        }
    }
}
