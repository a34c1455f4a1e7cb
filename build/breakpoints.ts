import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const file = resolve(import.meta.dirname, '../web/styles/breakpoints.css');
const rules = readFileSync(file, 'utf8').matchAll(/^@custom-media (--[\w-]+) (.+);$/gm);
const conditions = new Map([...rules].map(([, name, condition]) => [name, condition]));

/**
 * A PostCSS plugin that replaces names such as `(--large)` in media queries with the condition in
 * breakpoints.css. Browsers do not support `@custom-media`.
 */
export const customMedia = {
  postcssPlugin: 'custom-media',
  AtRule: {
    media(rule: { params: string }) {
      rule.params = rule.params.replace(/\((--[\w-]+)\)/g, (_, name: string) => {
        const condition = conditions.get(name);
        if (!condition) throw new Error(`breakpoints.css does not declare ${name}`);
        return `(${condition})`;
      });
    },
  },
};
