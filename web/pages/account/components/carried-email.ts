/** The address that a form hands to the next one. In memory only: an address or a history entry would keep it. */
let carried = '';

export const carriedEmail = {
  carry(email: string) {
    carried = email;
  },
  /** What the form before has handed over; empty when it was none. */
  find: () => carried,
  forget() {
    carried = '';
  },
};
