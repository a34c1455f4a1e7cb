import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSync } from 'vite';
import { expectNone } from './expect-none.ts';

const web = join(import.meta.dirname, '../web');

test('a text that changes or goes has an element of its own, as page translators replace texts', () => {
  const found = globSync('**/*.tsx', { cwd: web }).flatMap((file) => {
    const code = readFileSync(join(web, file), 'utf8');
    return bareTexts(file, code).map((line) => `${file}:${line}: ${code.split('\n')[line - 1]?.trim()}`);
  });
  expectNone(found, 'Give these texts an element of their own, such as <b>{count}</b>:');
});

test('the check finds texts that change beside others, and no others', () => {
  const linesIn = (jsx: string) => bareTexts('page.tsx', `const page = (\n${jsx}\n);`).length;
  for (const bad of [
    '<p>{words} <b>x</b></p>',
    '<p>Há {count}</p>',
    "<p><b>x</b>{late && 'tarde'}</p>",
    '<p>{late && <b>x</b>} depois</p>',
    '<div>{late && <>cedo <b>x</b></>}</div>',
    '<ul>{names.map((name) => name)}<li>x</li></ul>',
  ])
    assert.equal(linesIn(bad), 1, bad);
  for (const good of [
    '<p>{words}</p>',
    '<p>{`Há um`}</p>',
    "<p>{late ? 'tarde' : 'cedo'}</p>",
    '<p>antes {late && <b>x</b>}</p>',
    '<p>Há <b>{count}</b>{" "}de <i>{all}</i>.</p>',
    '<ul>{names.map((name) => <li>{name}</li>)}</ul>',
  ])
    assert.equal(linesIn(good), 0, good);
});

type Node = { type: string; start: number; [key: string]: unknown };
type Kind = 'text' | 'element';

/** Names of values that are elements, or functions that return elements, although no syntax shows it. */
const elements =
  /^(?:children|action|actions|cancel|cell|circle|createPortal|fieldsOf|ground|guidance|help|icon|icons|input|leaveGuard|links|list|networkIcons|nightPath|notice|noticeOf|opened|petal|poster|signInAgain|skeleton)$/;

/**
 * Finds texts with which React fails after a page translator has replaced the text nodes by elements of its
 * own: React then cannot remove a text, cannot insert before it, and its new words do not appear. React sets
 * the text of an element whose only child is a string, so such an element is safe.
 * @returns the line of each expression that may be text and has siblings, of each text in a fragment, and of
 * each text that a component returns without an element
 */
function bareTexts(file: string, code: string): number[] {
  const found: Node[] = [];
  visit(parseSync(file, code).program as unknown as Node);
  return found.map(({ start }) => code.slice(0, start).split('\n').length);

  function visit(node: Node) {
    if (node.type === 'JSXFragment') found.push(...childrenOf(node).filter(isText));
    if (node.type === 'JSXElement' && childrenOf(node).length > 1) {
      let changes = false;
      for (const child of childrenOf(node)) {
        changes ||= child.type === 'JSXExpressionContainer' && (child.expression as Node).type !== 'Literal';
        if (changes && isText(child)) found.push(child);
      }
    }
    for (const value of Object.values(node))
      for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) visit(one);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** The children without white space and comments. */
const childrenOf = (node: Node) => (node.children as Node[]).filter((child) => kindsOf(child).length > 0);

const isText = (child: Node) => kindsOf(child).includes('text');

/** What an expression can be on the page; empty for what React does not show. */
function kindsOf(node: Node): Kind[] {
  const of = (...keys: string[]) => keys.flatMap((key) => kindsOf(node[key] as Node));
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return ['element'];
    case 'JSXText':
    case 'Literal':
      return typeof node.value === 'boolean' || node.value === null || /^\s*$/.test(String(node.value))
        ? []
        : ['text'];
    case 'JSXEmptyExpression':
      return [];
    case 'JSXExpressionContainer':
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
      return of('expression');
    case 'ConditionalExpression':
      return of('consequent', 'alternate');
    case 'LogicalExpression':
      return node.operator === '&&' ? of('right') : of('left', 'right');
    case 'ArrowFunctionExpression':
      return of('body');
    case 'BlockStatement':
      return ['element'];
    case 'CallExpression': {
      const callee = node.callee as Node;
      const [made] = node.arguments as Node[];
      const maps = /^(?:map|flatMap)$/.test(nameOf(callee)) && made?.type === 'ArrowFunctionExpression';
      return maps ? kindsOf(made) : kindsOf(callee);
    }
    default:
      return [elements.test(nameOf(node)) ? 'element' : 'text'];
  }
}

/** The last name in `list.signInAgain` or `networkIcons[network]`. */
function nameOf(node: Node): string {
  if (node.type !== 'MemberExpression') return String(node.name);
  return nameOf((node.computed ? node.object : node.property) as Node);
}
