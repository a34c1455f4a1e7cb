import { X } from 'lucide-react';
import { useId } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { roleName, roles } from '#contract/user.ts';
import { Link } from '#web/components/link.tsx';
import styles from './users-filters.module.css';
import { hasFilters, noFilters, searchParamsOf, signUpDays, type TableQuery } from './users-query.ts';

const roleOptions = [
  ['', 'Todos'],
  ...roles.map(({ member, stored }) => [stored, roleName(member)] as const),
] as const;
const verifications = [
  ['', 'Todos'],
  ['yes', 'Confirmado'],
  ['no', 'Não confirmado'],
] as const;
const signUps = [
  ['', 'Qualquer data'],
  ...signUpDays.map((days) => [days, `Há até ${days} dias`] as const),
] as const;

/** The filters of the list. Each change shows the matching users at once. */
export function Filters({ query }: { query: TableQuery }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const pathOf = (next: TableQuery) => {
    const params = searchParamsOf(next).toString();
    return params ? `${pathname}?${params}` : pathname;
  };
  const show = (filters: Partial<TableQuery>) => void navigate(pathOf({ ...query, ...filters }));
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">Filtros</legend>
      <Choice label="Papel" value={query.role} options={roleOptions} onValue={(role) => show({ role })} />
      <Choice
        label="E-mail"
        value={query.verified}
        options={verifications}
        onValue={(verified) => show({ verified })}
      />
      <Choice label="Cadastro" value={query.days} options={signUps} onValue={(days) => show({ days })} />
      {hasFilters(query) && (
        <Link className={styles.clear} to={pathOf({ ...query, ...noFilters })}>
          <X /> Limpar os filtros
        </Link>
      )}
    </fieldset>
  );
}

function Choice<Value extends string>({
  label,
  value,
  options,
  onValue,
}: {
  label: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onValue: (value: Value) => void;
}) {
  const id = useId();
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onValue(target.value as Value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
