//! What becomes of pages, and that no page is too much.

use proptest::prelude::*;

use super::*;

fn read(html: &str) -> String {
    readable(html, &"https://example.com/docs/page".parse().unwrap())
}

#[test]
fn a_page_becomes_its_content_in_order() {
    let html = r#"<!doctype html><html><head><title>Ships | Example</title>
            <style>p { color: red }</style><script>var a = "<p>not text</p>";</script></head>
            <body><header><nav><a href="/">Home</a> <a href="/all">All</a></nav></header>
            <main><h1>Ships</h1>
            <p>A ship   is a <b>large</b> vessel, see <a href="../boats?a=1&amp;b=2">boats</a>.
            <p>Run <code>sail --now</code>, then<br>wait.
            <ul><li>sail<li>oar<ul><li>long</ul></ul><ol start=3><li>three<li><p>four</ol>
            <pre class="language-sh"><code>cd sea
&lt;go&gt;</code></pre>
            <blockquote><p>Ahoy</blockquote>
            <table><tr><th>name<th>masts<tr><td><div>Gorch</div><td>3</table>
            <dl><dt>hull<dd>the body</dl>
            <p><img src=x.png alt="a schooner"> <a href="javascript:x()">click</a>
            </main><footer>Imprint</footer></body></html>"#;
    let expected = "\
# Ships

A ship is a large vessel, see [boats](https://example.com/boats?a=1&b=2).

Run `sail --now`, then
wait.

- sail
- oar
  - long
3. three
4. four

```sh
cd sea
<go>
```

> Ahoy

name | masts
Gorch | 3

hull

: the body

(image: a schooner) click";
    assert_eq!(read(html), expected);
}

#[test]
fn without_a_main_part_menus_and_footers_still_go() {
    let words = "Words that say something. ".repeat(20);
    let html = format!(
        "<title>T</title><div class='top navbar'><div>Menu</div></div><div><p>{words}</div>
         <div id=footer>Imprint</div><aside>Ads</aside>"
    );
    assert_eq!(read(&html), format!("# T\n\n{}", words.trim()));
}

#[test]
fn a_page_that_is_all_menu_is_read_all_the_same() {
    let html = "<nav><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></nav>";
    assert_eq!(read(html), "- [A](https://example.com/a)\n- [B](https://example.com/b)");
}

#[test]
fn what_people_do_not_see_is_not_read() {
    let html = "<p>seen</p><div style='display: none'>one<div>two</div>three</div><p hidden>four</p>
        <span aria-hidden=true>five</span><template><p>six</template><!-- seven --><noscript>eight</noscript>
        <svg><title>nine</title><text>ten</text></svg><p>a\u{200b}b\u{e0041}</p>";
    assert_eq!(read(html), "seen\n\nab");
}

#[test]
fn something_hidden_that_never_ends_does_not_hide_the_page() {
    assert_eq!(read("<p hidden>one<p>two"), "one\n\ntwo");
    assert_eq!(read("<svg><path><p>words"), "words");
}

#[test]
fn a_page_drawn_by_a_script_has_its_description() {
    let html = "<title>App</title><meta name=description content='An app.'><div id=root></div>";
    assert_eq!(read(html), "# App\nAn app.");
}

#[test]
fn links_follow_the_base_that_the_page_names() {
    assert_eq!(
        read("<base href=https://o.example/x/><a href=y>z</a>"),
        "[z](https://o.example/x/y)"
    );
}

#[test]
fn code_that_holds_a_fence_gets_a_longer_one() {
    assert_eq!(read("<pre>```\nx\n```</pre>"), "````\n```\nx\n```\n````");
}

#[test]
fn ten_thousand_nested_elements_are_read_on_a_small_stack() {
    for tag in
        ["div", "ul", "li", "blockquote", "table", "b", "a href=x", "main", "nav", "svg", "code"]
    {
        let html = format!("{}<p>deep</p>", format!("<{tag}>").repeat(10_000));
        let small = std::thread::Builder::new().stack_size(128 << 10);
        let text = small.spawn(move || read(&html)).unwrap().join().unwrap();
        assert!(text.contains("deep"), "{tag}");
    }
}

#[test]
fn text_that_grows_is_bounded() {
    let long = "x".repeat(250);
    let html = format!("<base href=/{long}/>{}", "<a href=y>z</a>".repeat(20_000));
    assert!(read(&html).len() <= MOST);
    let html = format!("<pre>{}", "`".repeat(MOST));
    assert!(read(&html).len() <= MOST);
}

#[test]
fn tags_in_a_snippet_go() {
    assert_eq!(without_tags("a <strong>b</strong> &amp;  c<script>x</script>"), "a b & cx");
}

proptest! {
    /// Any soup of the tags that do something is read without a panic.
    #[test]
    fn any_soup_of_tags_is_read(
        soup in prop::collection::vec(
            prop_oneof![
                "</?(p|div|a|code|pre|li|ul|ol|td|tr|table|h1|blockquote|svg|main|nav|title|br)>",
                Just("<a href=/x>".to_owned()),
                Just("<div hidden>".to_owned()),
                "[ \\n`a-zü🔗]{0,6}",
                "\\PC{0,6}",
            ],
            0..60,
        )
    ) {
        let _ = read(&soup.concat());
    }
}
