import { useEffect, useState } from 'react';

/** In memory only: a URL would be stored in the history. */
let carried = '';

/** Passes an email address from one form to the next. */
export function carryEmail(email: string) {
  carried = email;
}

/** Takes the email address from the previous form; empty without one. */
export function useCarriedEmail(): string {
  const [email] = useState(() => carried);
  useEffect(() => carryEmail(''), []);
  return email;
}
