/** The category of users who signed up with a social account, as the specification names it. */
export const defaultCategory = 'patient';

/**
 * The names on screen of categories that the product itself stores. Categories of a clinic are shown as
 * stored.
 */
const names = new Map([[defaultCategory, 'Paciente']]);

/** The name of a category on screen. */
export const categoryName = (category: string) => names.get(category) ?? category;

/** The category to store for a name that a user typed. */
export function categoryNamed(typed: string): string {
  const wanted = typed.trim().toLocaleLowerCase('pt-BR');
  const known = [...names].find(([, name]) => name.toLocaleLowerCase('pt-BR') === wanted);
  return known ? known[0] : typed.trim();
}
