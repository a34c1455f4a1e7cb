export { PageNotFound as Component } from './components/page-not-found.tsx';
