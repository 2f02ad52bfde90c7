// Statements one after another; what is open is a list of clusters.
// It must not know what any of them stands for.
#include "formats/dot_graph.h"

#include <string>
#include <utility>

#include "base/in_quotes.h"

namespace fuseboard {
namespace {

using Kind = DotToken::Kind;

constexpr size_t kFaultsKept = 1000;

class DotParser {
 public:
  explicit DotParser(std::string_view text) : lexer_(text), token_(lexer_.next()) {}

  Result<DotGraph> run() {
    if (token_.is_keyword("strict")) advance();
    if (!token_.is_keyword("digraph")) {
      fault(Code::syntax, token_, "a digraph begins with the word digraph",
            "paste the dump from its beginning");
      return give_up();
    }
    advance();
    DotToken name;
    if (token_.is_name()) name = take();
    if (!token_.is('{')) {
      fault_here("the digraph's opening brace");
      return give_up();
    }
    advance();
    out_.clusters.push_back({name, {}});
    open_.push_back({0, true});
    while (!open_.empty() && !is_over() && found_.size() < kFaultsKept) read_statement();
    if (!open_.empty()) fault_of_cut();
    if (open_.empty()) read_rest();
    if (!found_.empty()) return give_up();
    return {std::move(out_), {}};
  }

 private:
  Result<DotGraph> give_up() { return {std::nullopt, std::move(found_)}; }

  void advance() {
    last_ = token_;
    token_ = lexer_.next();
  }
  DotToken take() {
    advance();
    return last_;
  }
  bool is_over() const { return token_.kind == Kind::end || token_.kind == Kind::unterminated; }

  void fault(Code code, const DotToken& at, std::string message, std::string hint) {
    if (found_.size() < kFaultsKept)
      found_.push_back(
          {Severity::error, code, std::move(message), {at.offset, at.length, ""}, std::move(hint)});
  }

  /// Says what was to stand here, and goes on behind the next end of a statement or before a brace.
  void fault_here(const std::string& wanted) {
    if (is_over()) return fault_of_cut();
    fault(Code::syntax, token_, wanted + " is expected here, not " + in_quotes(token_.text),
          "correct the text at this place; quotes inside a label are written \\\"");
    skip();
  }

  void skip() {
    while (!is_over() && !token_.is(';') && !token_.is(']') && !token_.is('{') && !token_.is('}')) advance();
    if (token_.is(';') || token_.is(']')) advance();
  }

  void fault_of_cut() {
    if (is_cut_ || !is_over()) return;
    is_cut_ = true;
    const bool is_inside = token_.kind == Kind::unterminated;
    DotToken at = is_inside ? token_ : last_;
    if (is_inside) at.length = 1;
    fault(Code::truncated, at,
          is_inside ? "the text ends inside what begins here" : "the text ends before the digraph is closed",
          "paste the whole dump, to its last brace");
  }

  void read_statement() {
    if (token_.is(';')) return advance();
    if (token_.is('}')) {
      open_.pop_back();
      return advance();
    }
    if (token_.is('{') || token_.is_keyword("subgraph")) return open_subgraph();
    if (!token_.is_name()) return fault_here("a statement");
    const DotToken name = take();
    const bool is_default = name.is_keyword("graph") || name.is_keyword("node") || name.is_keyword("edge");
    if (is_default && !token_.is('=')) {
      Attributes attributes;
      if (!token_.is('[')) return fault_here("a list of attributes");
      if (read_attributes(attributes) && name.is_keyword("graph")) set_label(attributes.label);
      return;
    }
    if (token_.is('=')) {
      advance();
      if (!token_.is_name()) return fault_here("a value");
      const DotToken value = take();
      if (name.text == "label") set_label(value);
      return;
    }
    read_node_or_edges(name);
  }

  void set_label(const DotToken& label) {
    const Scope& scope = open_.back();
    if (scope.is_cluster && label.kind != Kind::end) out_.clusters[scope.cluster].label = label;
  }

  void open_subgraph() {
    DotToken name;
    if (!token_.is('{')) {
      advance();
      if (token_.is_name()) name = take();
      if (!token_.is('{')) return fault_here("a subgraph's opening brace");
    }
    advance();
    if (name.text.starts_with("cluster")) {
      out_.clusters.push_back({name, {}});
      open_.push_back({static_cast<uint32_t>(out_.clusters.size() - 1), true});
    } else {
      open_.push_back({open_.back().cluster, false});
    }
  }

  void pass_port() {
    while (token_.is(':')) {
      advance();
      if (token_.is_name()) advance();
    }
  }

  void read_node_or_edges(const DotToken& name) {
    pass_port();
    DotToken from = name;
    const bool is_edge = token_.kind == Kind::arrow;
    while (token_.kind == Kind::arrow) {
      advance();
      if (token_.is('{') || token_.is_keyword("subgraph")) {
        fault(Code::unsupported, token_, "an edge to many nodes at once is not read here",
              "write one edge a node");
        return skip();
      }
      if (!token_.is_name()) return fault_here("the node that the edge goes to");
      const DotToken to = take();
      pass_port();
      out_.edges.push_back({from, to});
      from = to;
    }
    Attributes attributes;
    if (!read_attributes(attributes)) return;
    if (is_edge || attributes.label.kind == Kind::end) return;
    out_.nodes.push_back(
        {name, attributes.label, attributes.shape, open_.back().cluster, last_.offset + last_.length});
  }

  struct Attributes {
    DotToken label;
    DotToken shape;
  };

  /// [label="..." shape="box", color=red; ...], as often as it stands there; false after a fault.
  bool read_attributes(Attributes& out) {
    while (token_.is('[')) {
      advance();
      while (!token_.is(']')) {
        if (token_.is(',') || token_.is(';')) {
          advance();
          continue;
        }
        if (!token_.is_name()) return fault_here("an attribute or ]"), false;
        const DotToken key = take();
        if (!token_.is('=')) return fault_here("= behind the attribute's name"), false;
        advance();
        if (!token_.is_name()) return fault_here("the attribute's value"), false;
        const DotToken value = take();
        if (key.text == "label") out.label = value;
        if (key.text == "shape") out.shape = value;
      }
      advance();
    }
    return true;
  }

  void read_rest() {
    if (token_.kind == Kind::end) return;
    if (token_.is_keyword("digraph") || token_.is_keyword("strict"))
      return fault(Code::unsupported, token_, "here begins a second digraph", "paste one dump at a time");
    DotToken at = token_;
    if (token_.kind == Kind::unterminated) at.length = 1;
    fault(Code::syntax, at, "the digraph has ended before this", "paste the dump and nothing else");
  }

  DotLexer lexer_;
  DotToken token_;
  DotToken last_;
  DotGraph out_;
  struct Scope {
    uint32_t cluster;
    bool is_cluster;  ///< not a subgraph inside it
  };
  std::vector<Scope> open_;  ///< of every open brace
  bool is_cut_ = false;
  std::vector<Diagnostic> found_;
};

}  // namespace

bool looks_like_digraph(std::string_view text) {
  DotLexer lexer(text);
  DotToken token = lexer.next();
  if (token.is_keyword("strict")) token = lexer.next();
  return token.is_keyword("digraph");
}

Result<DotGraph> parse_dot(std::string_view text) {
  if (text.size() >= UINT32_MAX) {
    return {std::nullopt,
            {{Severity::error, Code::unsupported, "the text is 4 GiB or more", {}, "paste less"}}};
  }
  return DotParser(text).run();
}

}  // namespace fuseboard
