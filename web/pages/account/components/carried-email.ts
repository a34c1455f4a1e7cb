import { useEffect, useState } from 'react';

/** The email address stays in memory, because the browser would store a URL in its history. */
let carried = '';

/** Passes an email address from one form to the next. */
export function carryEmail(email: string) {
  carried = email;
}

/** Returns the email address that the previous form has passed, or an empty string. */
export function useCarriedEmail(): string {
  const [email] = useState(() => carried);
  useEffect(() => carryEmail(''), []);
  return email;
}
