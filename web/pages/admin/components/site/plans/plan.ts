import type { Arranged } from '#contract/site/parts.ts';

/**
 * How the editor shows a value of the site's content: its label, and the kind of its field. The type of a
 * plan follows from the type of its value, so a new field of the content causes a type error until it has a
 * plan.
 */
export type PlanOf<Value> = [NonNullable<Value>] extends [string]
  ? TextPlan | ChoicePlan | FilePlan | HiddenPlan
  : [NonNullable<Value>] extends [boolean]
    ? SwitchPlan
    : [Value] extends [readonly string[]]
      ? LinesPlan | ListPlan<string> | ChoicesPlan | ConfirmedPlan
      : [Value] extends [readonly (string | string[])[]]
        ? BlocksPlan
        : [Value] extends [readonly (infer Item)[]]
          ? ListPlan<Item>
          : [Value] extends [Arranged<string>]
            ? PartsPlan
            : GroupPlan<Value>;

type Labelled = { label: string; hint?: string };

/** A text, in one line or several. */
export type TextPlan = Labelled & {
  kind: 'text';
  rows?: number;
  input?: 'text' | 'email' | 'url' | 'tel' | 'date' | 'time';
  /** Tidies the typed text when the field loses the focus. `group` is the value that contains the text. */
  tidy?: (typed: string, group: unknown) => string;
  /** Formats a stored value for display. */
  shown?: (stored: string) => string;
};
export type ChoicePlan = Labelled & Options & { kind: 'choice' };
/** Any number of the options, stored in the order of `options`. */
export type ChoicesPlan = Labelled & Options & { kind: 'choices' };
type Options = {
  options: readonly string[];
  /** The labels of the options; without `labels`, the stored options are shown. */
  labels?: Record<string, string>;
};
/** A checkbox that is checked until an admin unchecks it. */
export type SwitchPlan = Labelled & { kind: 'switch' };
/** The URL of a stored picture or sound. */
export type FilePlan = Labelled & {
  kind: 'file';
  file: 'image' | 'audio';
  folder: string;
  /** True if the field can be empty. */
  optional?: boolean;
  /**
   * Called when the file is replaced, with the group that contains this field. Returns the group without the
   * values that belong only to the old file.
   */
  withoutOld?: (group: never) => unknown;
};
/** A value that the clinic does not edit. */
export type HiddenPlan = { kind: 'hidden' };
/** Several texts in one field: each line, or each paragraph, is one text. */
export type LinesPlan = Labelled & { kind: 'lines'; separator: '\n' | '\n\n' };
/** Paragraphs and bulleted lists in one field. */
export type BlocksPlan = Labelled & { kind: 'blocks' };
/** The order of a page's parts, and which of them visitors see. */
export type PartsPlan = Labelled & {
  kind: 'parts';
  parts: readonly string[];
  /** The page that has the parts. */
  page: string;
  labelOf: (part: string) => string;
};
/** The parts of the content whose sample texts the clinic keeps. */
export type ConfirmedPlan = Labelled & { kind: 'confirmed'; labelOf: (name: string) => string };
export type GroupPlan<Value> = {
  kind: 'group';
  label: string;
  hint?: string;
  fields: { [Key in keyof Value]-?: PlanOf<Value[Key]> };
};
export type ListPlan<Item> = {
  kind: 'list';
  label: string;
  hint?: string;
  item: PlanOf<Item>;
  /** The noun for one item, such as "pergunta". `feminine` is true if the noun is feminine. */
  noun: string;
  feminine?: boolean;
  /** Creates a new item. Without `blank`, the number of items is fixed. */
  blank?: () => Item;
  /** The maximum number of items. The default is the maximum for all lists of the site. */
  most?: number;
};

export const optionLabel = ({ labels }: Options, option: string): string => labels?.[option] ?? option;

/** A plan for a value of any type. */
export type Plan =
  | TextPlan
  | ChoicePlan
  | SwitchPlan
  | ChoicesPlan
  | FilePlan
  | HiddenPlan
  | LinesPlan
  | BlocksPlan
  | PartsPlan
  | ConfirmedPlan
  | (Omit<GroupPlan<never>, 'fields'> & { fields: Record<string, Plan> })
  | (Omit<ListPlan<never>, 'item' | 'blank'> & { item: Plan; blank?: () => unknown });
export type AnyGroup = Extract<Plan, { kind: 'group' }>;
export type AnyList = Extract<Plan, { kind: 'list' }>;

type TextOptions = Omit<TextPlan, 'kind' | 'label'>;

export const text = (label: string, options: TextOptions = {}): TextPlan => ({
  kind: 'text',
  label,
  ...options,
});
export const longText = (label: string, hint?: string): TextPlan =>
  text(label, { rows: 3, ...(hint && { hint }) });
export const paragraphs = (label: string, hint?: string): LinesPlan => ({
  kind: 'lines',
  separator: '\n\n',
  label,
  hint:
    hint ?? 'Deixe uma linha em branco entre os parágrafos. Comece com “- ” ou “1. ” as linhas de uma lista.',
});
export const lines = (label: string, hint: string): LinesPlan => ({
  kind: 'lines',
  separator: '\n',
  label,
  hint,
});

export const titledFields = (title = 'Título', body = 'Texto') => ({
  title: text(title),
  text: longText(body),
});
export const emptyTitledText = () => ({ title: '', text: '' });

/** What search engines show below the title. */
export const description = text('Descrição para buscadores', {
  rows: 2,
  hint: 'O Google mostra esta frase abaixo do título. Até 200 letras.',
});
