import { type PracticeChoice, practicesPath } from '#contract/practices/choice.ts';
import { ButtonLink } from '#web/components/button.tsx';
import styles from './page-links.module.css';
import { gridId } from './practice-grid.tsx';

/** Links to the page before and after this one, if there is more than one page. */
export function PageLinks({ choice, pages }: { choice: PracticeChoice; pages: number }) {
  const { page } = choice;
  if (pages < 2) return null;
  // The links lead to the grid, so that the visitor need not scroll over the head of the page again.
  const pathOf = (page: number) => `${practicesPath({ ...choice, page })}#${gridId}`;
  return (
    <nav className={styles.pages} aria-label="Páginas de práticas">
      {page > 1 && (
        <ButtonLink variant="quiet" rel="prev" to={pathOf(page - 1)}>
          Práticas anteriores
        </ButtonLink>
      )}
      <p>{`Página ${page} de ${pages}`}</p>
      {page < pages && (
        <ButtonLink variant="quiet" rel="next" to={pathOf(page + 1)}>
          Mais práticas
        </ButtonLink>
      )}
    </nav>
  );
}
