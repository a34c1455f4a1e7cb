import { Search } from 'lucide-react';
import { useId } from 'react';
import { limits } from '#contract/limits.ts';
import styles from './search-box.module.css';

/** Searches while one types. */
export function SearchBox({
  label,
  value,
  onValue,
}: {
  /** Its name; the drawn glass says the same to the eye. */
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
