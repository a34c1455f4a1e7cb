import { Bold, Italic, Link2, List, ListOrdered } from 'lucide-react';
import type { ComponentType } from 'react';
import { IconButton } from '#web/components/button.tsx';
import styles from './text-toolbar.module.css';

/** What a button writes instead of the selected words, and which part of it is selected afterwards. */
type Edit = (words: string) => { text: string; select: string };

const wrapped =
  (mark: string): Edit =>
  (words) => ({ text: mark + words + mark, select: words });

const listed =
  (mark: (place: number) => string): Edit =>
  (words) => {
    const text = words
      .split('\n')
      .map((line, place) => mark(place) + line)
      .join('\n');
    return { text, select: text };
  };

const buttons: [label: string, Icon: ComponentType, edit: Edit][] = [
  ['Negrito', Bold, wrapped('**')],
  ['Itálico', Italic, wrapped('_')],
  ['Link', Link2, (words) => ({ text: `[${words}](https://)`, select: 'https://' })],
  ['Lista', List, listed(() => '- ')],
  ['Lista numerada', ListOrdered, listed((place) => `${place + 1}. `)],
];

/** Buttons that write marks into the text field with this id. */
export function TextToolbar({ fieldId }: { fieldId: string }) {
  function run(edit: Edit) {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLTextAreaElement)) return;
    const { selectionStart: start, selectionEnd: end, value } = field;
    const { text, select } = edit(value.slice(start, end) || 'palavras');
    field.focus();
    // Unlike a new value, the command keeps the browser's undo. It also causes React's change event.
    document.execCommand('insertText', false, text);
    const from = start + text.lastIndexOf(select);
    field.setSelectionRange(from, from + select.length);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend beside the field's label.
    <div className={styles.toolbar} role="group" aria-label="Formatar o texto">
      {buttons.map(([label, Icon, edit]) => (
        <IconButton key={label} label={label} onClick={() => run(edit)}>
          <Icon />
        </IconButton>
      ))}
    </div>
  );
}
