import { type Selector, transform, type Visitor } from 'lightningcss';
import { styleTargets } from './browsers.ts';

/**
 * Returns the rules of `css` that can apply to `html`, in every theme, width, state and medium. Elements that
 * scripts add later need the complete style files.
 */
export function stylesFor(html: string, css: string): string {
  const kept = withoutUnusedNames(withoutForeignRules(css, html), html);
  if (kept.includes('</')) throw new Error('Inline styles must not contain "</".');
  // The browser orders layers by their first mention, and the complete files load only after these rules.
  const order = layersOf(css);
  return layersOf(kept) === order ? kept : `@layer ${order};${kept}`;
}

/** Removes rules for classes, ids and elements that the page does not contain. */
function withoutForeignRules(css: string, html: string): string {
  const valuesOf = (attribute: string) =>
    new Set(
      [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].flatMap(([, value = '']) =>
        value.split(' '),
      ),
    );
  const present = {
    class: valuesOf('class'),
    id: valuesOf('id'),
    type: new Set([...html.matchAll(/<([a-z][\w-]*)/gi)].map(([, name = '']) => name)),
  };
  const canApply = (selector: Selector): boolean =>
    selector.every((part) => {
      if (part.type === 'class' || part.type === 'id' || part.type === 'type')
        return present[part.type].has(part.name);
      if (part.type === 'pseudo-class' && (part.kind === 'is' || part.kind === 'where'))
        return part.selectors.some(canApply);
      return true;
    });
  return rewrite(css, {
    Rule: {
      style: ({ value }) => (value.selectors.some(canApply) ? undefined : []),
    },
  });
}

/** Removes unused custom properties and animations, repeatedly, because a removal can make others unused. */
function withoutUnusedNames(css: string, html: string): string {
  const read = new Set([...(css + html).matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name));
  const kept = rewrite(css, {
    Declaration: { custom: ({ name }) => (name.startsWith('--') && !read.has(name) ? [] : undefined) },
    Rule: { keyframes: ({ value: { name } }) => (css.split(name.value).length > 2 ? undefined : []) },
  });
  return kept.length < css.length ? withoutUnusedNames(kept, html) : kept;
}

function rewrite(css: string, visitor: Visitor<never>): string {
  // Without the targets, Lightning CSS would merge rules that an old browser knows with one that it does not.
  const options = { filename: 'page.css', minify: true, targets: styleTargets, visitor };
  return transform({ ...options, code: Buffer.from(css) }).code.toString();
}

/** The names of the layers in the order of their first occurrence. */
function layersOf(css: string): string {
  const names = [...css.matchAll(/@layer ([\w, -]+)[{;]/g)].flatMap(([, list = '']) => list.split(/, ?/));
  return [...new Set(names)].join(',');
}
