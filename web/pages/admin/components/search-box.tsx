import { Search } from 'lucide-react';
import { useId } from 'react';
import { limits } from '#contract/limits.ts';
import styles from './search-box.module.css';

/** A search field that searches while the user types. */
export function SearchBox({
  label,
  value,
  onValue,
}: {
  /** The accessible name; sighted users see a magnifying glass. */
  label: string;
  value: string;
  onValue: (value: string) => void;
}) {
  const id = useId();
  return (
    <search className={styles.box}>
      <Search />
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="search"
        placeholder="Procurar"
        maxLength={limits.searchMaxLength}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </search>
  );
}
