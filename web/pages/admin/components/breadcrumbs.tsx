import { ChevronRight } from 'lucide-react';
import { useLocation } from 'react-router';
import { axes, mainAxes, mainAxisOf } from '#contract/axes.ts';
import { Link } from '#web/components/link.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import styles from './breadcrumbs.module.css';
import { sectionOrder, sections } from './site/sections.ts';

type Crumb = { label: string; to?: string };

/** Links from the admin start page to the current page. Renders nothing on the start page itself. */
export function Breadcrumbs() {
  const { pathname, search } = useLocation();
  const trail = trailTo(pathname, new URLSearchParams(search).get('axis'));
  if (trail.length === 0) return null;
  return (
    <nav className={styles.breadcrumbs} aria-label="Você está em">
      <ol className={styles.list}>
        <li>
          <Link to="/admin">Início</Link>
        </li>
        {trail.map(({ label, to }) => (
          <li key={label}>
            <ChevronRight />
            {to ? <Link to={to}>{label}</Link> : <span aria-current="page">{label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

const names: Record<string, string> = {
  '/admin/newact': 'Nova Act',
  '/admin/editact': 'Editar prática',
  '/admin/importar': 'Importar práticas',
  '/admin/users': 'Usuários',
  '/admin/site': 'Site',
  '/admin/carta': 'Carta',
  '/admin/pacientes': 'Pacientes',
  '/participants': 'Usuários',
};

/** The name of a page below /admin/site. */
function sitePage(pathname: string): string | undefined {
  if (pathname === '/admin/site/publicar') return 'Publicar';
  if (pathname === '/admin/site/historico') return 'Histórico';
  const section = sectionOrder.find((name) => pathname === `/admin/site/${name}`);
  return section && sections[section].label;
}

function trailTo(pathname: string, axis: string | null): Crumb[] {
  const list = mainAxes.find((main) => pathname === `/admin/${main}`);
  if (list) return [{ label: axisNames[list] }];
  const site = sitePage(pathname);
  if (site !== undefined) return [{ label: 'Site', to: '/admin/site' }, { label: site }];
  if (pathname.startsWith('/admin/carta/'))
    return [{ label: 'Carta', to: '/admin/carta' }, { label: 'Uma carta' }];
  if (pathname === '/admin/propor')
    return [{ label: 'Pacientes', to: '/admin/pacientes' }, { label: 'Propor uma prática' }];
  if (pathname.startsWith('/admin/pacientes/'))
    return [{ label: 'Pacientes', to: '/admin/pacientes' }, { label: 'Diário' }];
  const label = names[pathname];
  if (label === undefined) return [];
  const known = axes.find((one) => one === axis);
  if (!known) return [{ label }];
  const main = mainAxisOf(known);
  return [{ label: axisNames[main], to: `/admin/${main}` }, { label }];
}
