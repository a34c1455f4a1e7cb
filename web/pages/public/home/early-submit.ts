import { useEffect } from 'react';

let codeIsThere = false;
let held: { form: HTMLFormElement; submitter: HTMLElement | null } | undefined;

/** Keeps what is sent before the form's code is there: the browser alone would leave the page with it. */
export function useHeldSubmits() {
  useEffect(() => {
    window.addEventListener('submit', hold, true);
    return () => window.removeEventListener('submit', hold, true);
  }, []);
}

function hold(event: SubmitEvent) {
  if (codeIsThere) return;
  event.preventDefault();
  held = { form: event.target as HTMLFormElement, submitter: event.submitter };
}

/** For what holds the forms, once it is at work: sends on what was kept. */
export function useSubmits() {
  useEffect(() => {
    codeIsThere = true;
    held?.form.requestSubmit(held.submitter);
    held = undefined;
    return () => {
      codeIsThere = false;
    };
  }, []);
}
