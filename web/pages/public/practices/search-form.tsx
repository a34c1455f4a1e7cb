import { type FormEvent, useEffect, useRef } from 'react';
import { useHref, useNavigate } from 'react-router';
import { limits } from '#contract/limits.ts';
import {
  type PracticeChoice,
  practicesParameters,
  practicesPath,
  searchIn,
  searchParameter,
} from '#contract/practices/choice.ts';
import { Button } from '#web/components/button.tsx';
import styles from './search-form.module.css';

/** Searches among the chosen practices. Without JavaScript, the browser sends the form itself. */
export function SearchForm({ choice }: { choice: PracticeChoice }) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const { search, page: _page, ...filters } = choice;
  // A link that ends the search, and the browser's back button, change the search outside the field.
  useEffect(() => {
    if (input.current) input.current.value = search;
  }, [search]);

  function submit(event: FormEvent) {
    event.preventDefault();
    void navigate(practicesPath({ ...filters, search: searchIn(input.current?.value ?? '') }));
  }

  return (
    <search>
      <form className={styles.form} action={useHref('/practices')} onSubmit={submit}>
        <label htmlFor="busca">O que você procura?</label>
        <input
          ref={input}
          id="busca"
          type="search"
          name={searchParameter}
          defaultValue={search}
          maxLength={limits.searchMaxLength}
          placeholder="dormir, foco…"
          autoComplete="off"
          enterKeyHint="search"
        />
        {practicesParameters(filters).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" variant="quiet">
          Buscar
        </Button>
      </form>
    </search>
  );
}
