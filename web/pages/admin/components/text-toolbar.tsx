import { Bold, Italic, Link2, List, ListOrdered } from 'lucide-react';
import type { ComponentType } from 'react';
import { IconButton } from '#web/components/button.tsx';
import styles from './text-toolbar.module.css';

/** Returns what a button writes instead of the selected words, and which part of it is then selected. */
type Edit = (words: string) => { text: string; select?: string };

/** Changes each line, but leaves the space around it and empty lines as they are. */
const eachLine =
  (change: (line: string, place: number) => string): Edit =>
  (words) => {
    let place = 0;
    const lines = words
      .split('\n')
      .map((line) => line.replace(/\S(?:.*\S)?/, (core) => change(core, place++)));
    return { text: lines.join('\n') };
  };

const buttons: [label: string, Icon: ComponentType, edit: Edit][] = [
  ['Negrito', Bold, eachLine((line) => `**${line}**`)],
  ['Itálico', Italic, eachLine((line) => `_${line}_`)],
  ['Link', Link2, (words) => ({ text: `[${words.trim()}](https://)`, select: 'https://' })],
  ['Lista', List, eachLine((line) => `- ${line}`)],
  ['Lista numerada', ListOrdered, eachLine((line, place) => `${place + 1}. ${line}`)],
];

/** Buttons that write marks into the text field with this id. */
export function TextToolbar({ fieldId }: { fieldId: string }) {
  function run(edit: Edit) {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLTextAreaElement)) return;
    const { selectionStart: start, selectionEnd: end, value } = field;
    const { text, select = text } = edit(value.slice(start, end) || 'palavras');
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
