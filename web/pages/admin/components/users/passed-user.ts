import { useEffect, useState } from 'react';
import type { ListedUser } from '#contract/user.ts';

/** Kept only in memory, because a URL or the browser's history would store personal data on the device. */
let passed: ListedUser | undefined;

/** Passes a user to the page of participants, which opens the user's dialog. */
export function passUser(user: ListedUser) {
  passed = user;
}

/** Returns the user that the previous page has passed, if any. */
export function usePassedUser(): ListedUser | undefined {
  const [user] = useState(() => passed);
  useEffect(() => {
    passed = undefined;
  }, []);
  return user;
}
