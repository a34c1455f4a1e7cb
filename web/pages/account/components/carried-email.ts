/**
 * The e-mail address that one form passes to the next. In memory only: a URL or a history entry would store
 * it.
 */
let carried = '';

export const carriedEmail = {
  carry(email: string) {
    carried = email;
  },
  /** Returns the address from the previous form; empty without one. */
  find: () => carried,
  forget() {
    carried = '';
  },
};
