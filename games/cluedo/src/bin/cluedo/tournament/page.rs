//! The tables of a tournament as a page, without scripts.

use amazons_program::{TextTable, escaped};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:1rem;max-width:80rem;color-scheme:light dark}\
div{overflow-x:auto}table{border-collapse:collapse;margin-bottom:2rem}caption{text-align:left;font-weight:bold}\
th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #8888}th:first-child,td:first-child{text-align:left}";

pub(super) fn page(title: &str, head: &str, tables: &[&TextTable]) -> String {
    let (title, head) = (escaped(title), escaped(head));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <h1>{title}</h1>\n<p>{head}</p>\n"
    );
    page.extend(tables.iter().map(|table| table.to_html()));
    page
}
