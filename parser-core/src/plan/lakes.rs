//! The lakes of a run, by name.

use super::LakeSource;

/// Lakes by name, in order. A list: few are looked up in it, and rarely.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lakes(Vec<(String, LakeSource)>);

impl Lakes {
    /// The lake `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&LakeSource> {
        self.iter()
            .find_map(|(known, source)| (known == name).then_some(source))
    }

    /// Names and lakes.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &LakeSource)> {
        self.0.iter().map(|(name, source)| (name, source))
    }

    /// Names, and lakes to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&String, &mut LakeSource)> {
        self.0.iter_mut().map(|(name, source)| (&*name, source))
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.iter().map(|(name, _)| name)
    }

    /// The lakes.
    pub fn sources(&self) -> impl Iterator<Item = &LakeSource> {
        self.iter().map(|(_, source)| source)
    }
}

/// Of two lakes of one name, the later counts.
impl FromIterator<(String, LakeSource)> for Lakes {
    fn from_iter<I: IntoIterator<Item = (String, LakeSource)>>(lakes: I) -> Self {
        let mut list: Vec<_> = lakes.into_iter().collect();
        crate::sort::by_text(&mut list, |(name, _)| name);
        list.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        Self(list)
    }
}

#[cfg(test)]
mod tests {
    use super::{LakeSource, Lakes};
    use crate::plan::Catalog;

    #[test]
    fn the_later_of_a_name_counts() {
        let lake = |name: &str, path: &str| {
            let source = LakeSource {
                catalog: Catalog::Sqlite(String::new()),
                data_path: path.to_owned(),
            };
            (name.to_owned(), source)
        };
        let lakes: Lakes = [
            lake("b", "1"),
            lake("a", "2"),
            lake("b", "3"),
            lake("b", "4"),
        ]
        .into_iter()
        .collect();
        let paths = lakes
            .iter()
            .map(|(name, source)| (name.as_str(), source.data_path.as_str()));
        assert_eq!(paths.collect::<Vec<_>>(), [("a", "2"), ("b", "4")]);
        assert!(lakes.get("c").is_none());
    }
}
