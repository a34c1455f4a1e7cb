import { type Selector, transform, type Visitor } from 'lightningcss';

/**
 * The rules of `css` that can apply to `html` as it stands, in every theme, width, state and medium. What scripts put
 * into the page needs the whole files.
 */
export function stylesFor(html: string, css: string): string {
  const kept = withoutUnusedNames(withoutForeignRules(css, html), html);
  if (kept.includes('</')) throw new Error('Styles that end their own element cannot stand in a page.');
  // Layers rank in the order in which they are first named, and the whole files come later.
  const order = layersOf(css);
  return layersOf(kept) === order ? kept : `@layer ${order};${kept}`;
}

/** Without rules for classes, ids and elements that the page does not have. */
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

/** Without custom properties and animations that nothing names, be it one of those. */
function withoutUnusedNames(css: string, html: string): string {
  const read = new Set([...(css + html).matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name));
  const kept = rewrite(css, {
    Declaration: { custom: ({ name }) => (name.startsWith('--') && !read.has(name) ? [] : undefined) },
    Rule: { keyframes: ({ value: { name } }) => (css.split(name.value).length > 2 ? undefined : []) },
  });
  return kept.length < css.length ? withoutUnusedNames(kept, html) : kept;
}

function rewrite(css: string, visitor: Visitor<never>): string {
  return transform({ filename: 'page.css', code: Buffer.from(css), minify: true, visitor }).code.toString();
}

/** The names of the layers in the order in which they are first named. */
function layersOf(css: string): string {
  const names = [...css.matchAll(/@layer ([\w, -]+)[{;]/g)].flatMap(([, list = '']) => list.split(/, ?/));
  return [...new Set(names)].join(',');
}
