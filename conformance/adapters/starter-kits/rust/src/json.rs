//! JSON without a crate: a value stays raw text until it is looked at. `serde_json` does it better.

/// Cuts raw text at each mark that stands neither in a string nor in brackets.
fn cut(raw: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut from, mut depth, mut quoted, mut escaped) = (vec![], 0, 0, false, false);
    for (at, c) in raw.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ if c == mark && depth == 0 => {
                parts.push(raw[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(raw[from..].trim());
    parts
}

/// The items of a list, or the pairs of an object.
pub fn items(raw: &str) -> Vec<&str> {
    let inside = raw.get(1..raw.len().saturating_sub(1)).unwrap_or("");
    cut(inside, ',').into_iter().filter(|part| !part.is_empty()).collect()
}

/// The value of a key; `null` when there is none.
pub fn get<'a>(object: &'a str, key: &str) -> &'a str {
    let mut pairs = items(object).into_iter().map(|pair| cut(pair, ':'));
    pairs.find(|pair| text(pair[0]) == key).map_or("null", |pair| pair[1])
}

/// What a string says. A lone surrogate, which Rust cannot hold, becomes U+FFFD.
pub fn text(raw: &str) -> String {
    let mut units: Vec<u16> = vec![];
    let mut chars = raw.get(1..raw.len().saturating_sub(1)).unwrap_or("").chars();
    while let Some(c) = chars.next() {
        let escape = if c == '\\' { chars.next() } else { None };
        let plain = match escape {
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).unwrap_or(0xfffd));
                continue;
            }
            Some(e) => "nrtbf".find(e).map_or(e, |at| ['\n', '\r', '\t', '\u{8}', '\u{c}'][at]),
            None => c,
        };
        units.extend_from_slice(plain.encode_utf16(&mut [0; 2]));
    }
    String::from_utf16_lossy(&units)
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c < ' ' => format!("\\u{:04x}", c as u32),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}
