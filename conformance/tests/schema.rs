//! Checks that the schemas for text editors agree with the loader: every file of the suite is valid, and a file with an
//! unknown key is invalid.

use serde_json::{Value, json};

fn schema(name: &str) -> jsonschema::Validator {
    let path = format!("schema/{name}.schema.json");
    let text = robots_spec_cases::file(&path).unwrap_or_else(|| panic!("{path} is not embedded"));
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
}

fn yaml_files() -> impl Iterator<Item = (&'static str, Value)> {
    let files = robots_spec_cases::files();
    let is_yaml = |path: &str| !path.contains('/') && path.rsplit('.').next() == Some("yaml");
    let yaml = files.filter(move |(path, _)| is_yaml(path));
    yaml.map(|(path, text)| (path, serde_yaml::from_str(text).unwrap()))
}

#[test]
fn every_file_is_valid_by_its_schema() {
    let (cases, requirements) = (schema("cases"), schema("requirements"));
    let documents = schema("documents");
    let mut errors = Vec::new();
    for (path, value) in yaml_files() {
        let schema = match path {
            "requirements.yaml" => &requirements,
            "documents.yaml" => &documents,
            _ => &cases,
        };
        let found = schema.iter_errors(&value);
        errors.extend(found.map(|error| format!("{path} at {}: {error}", error.instance_path())));
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn an_unknown_key_is_valid_by_none() {
    for (path, mut value) in yaml_files() {
        let (name, list) = match path {
            "requirements.yaml" => ("requirements", "requirements"),
            "documents.yaml" => ("documents", "sentences"),
            _ => ("cases", "cases"),
        };
        value[list][0]["colour"] = json!("blue");
        assert!(!schema(name).is_valid(&value), "{path}");
    }
}
