package io.fairlead.gateway.route;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A URI template (RFC 6570, levels 1 to 3 and explode) that says whether a URI may come of it: good
 * enough to find the backend that owns a resource, on the generous side.
 *
 * <p>Matching keeps the set of all offsets that the parts so far can have reached, so it never goes
 * back, whatever the template (the class of CVE-2026-0621): its time is at most the product of the
 * two lengths, which are bounded.
 *
 * <p>Thread: any; immutable.
 */
public final class UriTemplate {
  private static final int MAX_TEMPLATE = 1024;
  private static final int MAX_URI = 4096;

  private final List<Part> parts;
  private final int literals;

  private UriTemplate(List<Part> parts, int literals) {
    this.parts = parts;
    this.literals = literals;
  }

  /** The template, if it is well formed and of bounded size. */
  public static Optional<UriTemplate> parse(String template) {
    if (template.length() > MAX_TEMPLATE) {
      return Optional.empty();
    }
    List<Part> parts = new ArrayList<>();
    int literals = 0;
    int at = 0;
    while (at < template.length()) {
      int open = template.indexOf('{', at);
      String literal = template.substring(at, open < 0 ? template.length() : open);
      if (literal.indexOf('}') >= 0) {
        return Optional.empty();
      }
      if (!literal.isEmpty()) {
        parts.add(new Literal(literal));
        literals += literal.length();
      }
      at += literal.length();
      if (open >= 0) {
        int close = template.indexOf('}', open);
        if (close < 0 || !expression(template.substring(open + 1, close), parts)) {
          return Optional.empty();
        }
        at = close + 1;
      }
    }
    return Optional.of(new UriTemplate(List.copyOf(parts), literals));
  }

  /** Whether {@code uri} may be an expansion of it. */
  public boolean matches(String uri) {
    if (uri.length() > MAX_URI) {
      return false;
    }
    BitSet reached = new BitSet(uri.length() + 1);
    reached.set(0);
    for (Part part : parts) {
      reached = part.advance(reached, uri);
      if (reached.isEmpty()) {
        return false;
      }
    }
    return reached.get(uri.length());
  }

  /** The number of characters outside of expressions: of two that match, the larger is meant. */
  public int literals() {
    return literals;
  }

  /** Adds the parts for what stands between braces; false if it is malformed. */
  private static boolean expression(String text, List<Part> parts) {
    if (text.isEmpty() || text.indexOf('{') >= 0 || "=,!@|".indexOf(text.charAt(0)) >= 0) {
      return false;
    }
    char operator = "+#./;?&".indexOf(text.charAt(0)) >= 0 ? text.charAt(0) : 0;
    String[] variables = text.substring(operator == 0 ? 0 : 1).split(",", -1);
    for (String variable : variables) {
      if (variable.isEmpty() || variable.equals("*")) {
        return false;
      }
    }
    switch (operator) {
      case '+' -> parts.add(Value.of(""));
      case '#' -> parts.add(Value.of('#', ""));
      case '.' -> parts.add(Value.of('.', "/"));
      case ';' -> parts.add(Value.of(';', "/?#"));
      case '?', '&' -> parts.add(Value.of(operator, "#"));
      case '/' -> {
        for (String variable : variables) {
          parts.add(Value.of('/', variable.endsWith("*") ? "?#" : "/?#"));
        }
      }
      // a comma between the values of one expression is like any other character
      default -> parts.add(Value.of("/"));
    }
    return true;
  }

  /** A piece of a template. */
  private sealed interface Part {

    /** The offsets of {@code uri} that it can reach from those in {@code from}. */
    BitSet advance(BitSet from, String uri);
  }

  private record Literal(String text) implements Part {

    @Override
    public BitSet advance(BitSet from, String uri) {
      BitSet to = new BitSet(uri.length() + 1);
      for (int at = from.nextSetBit(0); at >= 0; at = from.nextSetBit(at + 1)) {
        if (uri.startsWith(text, at)) {
          to.set(at + text.length());
        }
      }
      return to;
    }
  }

  /**
   * The values of an expression: any characters but those that end it.
   *
   * @param lead must come first if anything comes; 0: nothing must
   * @param ends the characters that cannot be part of it
   */
  private record Value(char lead, String ends) implements Part {

    static Value of(String ends) {
      return new Value((char) 0, ends);
    }

    static Value of(char lead, String ends) {
      return new Value(lead, ends);
    }

    @Override
    public BitSet advance(BitSet from, String uri) {
      BitSet to = new BitSet(uri.length() + 1);
      to.or(from);
      int at = from.nextSetBit(0);
      while (at >= 0) {
        int next = at + 1;
        if (lead == 0 || (at < uri.length() && uri.charAt(at) == lead)) {
          int end = end(uri, lead == 0 ? at : at + 1);
          to.set(at, end + 1);
          // what starts before the end ends there too, so it reaches nothing else
          next = Math.max(next, end);
        }
        at = from.nextSetBit(next);
      }
      return to;
    }

    private int end(String uri, int start) {
      int at = start;
      while (at < uri.length() && ends.indexOf(uri.charAt(at)) < 0) {
        at++;
      }
      return at;
    }
  }
}
