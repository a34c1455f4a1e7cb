type Field = HTMLInputElement | HTMLTextAreaElement;

/** True while `report` dispatches events, which would call it again. */
let reporting = false;

/**
 * Tells React what a browser or a password manager has put into text fields without events. Otherwise, React
 * would clear these fields at its next render, and the form would send them empty.
 */
export function reportFilledFields(): void {
  // In the capture phase, so that React knows the values before it handles the event.
  for (const type of ['input', 'click', 'focusout', 'submit']) document.addEventListener(type, report, true);
}

function report(event: Event) {
  const form = event.target instanceof Element && event.target.closest('form');
  if (!form || reporting) return;
  reporting = true;
  const typed = event.type === 'input' ? event.target : undefined;
  const filled = [...form.elements].filter(isField).filter((field) => isFilled(field) && field !== typed);
  for (const { field, value } of filled.map((one) => ({ field: one, value: one.value }))) {
    // Repeats the value, because React renders after each event and clears the fields that it does not know.
    // Uses the prototype's setter, because React would take the element's own for a change by the program.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  reporting = false;
}

const isField = (element: Element): element is Field =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !/^(?:checkbox|radio|file)$/.test(element.type));

/** React writes the value that it has rendered also to the attribute, which is `defaultValue`. */
const isFilled = ({ value, defaultValue }: Field) => value !== defaultValue;
