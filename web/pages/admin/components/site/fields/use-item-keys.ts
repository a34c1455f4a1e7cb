import { useState } from 'react';

let last = 0;
const newKey = () => {
  last += 1;
  return `item-${last}`;
};

/** Gives each item of a list a key, which stays the same when the item's position changes. */
export function useItemKeys(count: number) {
  const [keys, setKeys] = useState(() => Array.from({ length: count }, newKey));
  // The count differs after the list was replaced, for example by the version of another admin.
  const fitting =
    keys.length === count ? keys : Array.from({ length: count }, (_, index) => keys[index] ?? newKey());
  if (fitting !== keys) setKeys(fitting);
  return { keys: fitting, setKeys, newKey };
}
