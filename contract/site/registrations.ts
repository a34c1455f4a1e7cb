import type { Identity } from './identity.ts';

/** The profession with the specialties: "Médica psiquiatra", "Médico psiquiatra e neurologista". */
export const professionOf = ({ profession, specialties }: Identity): string =>
  [profession, specialties.map(({ name }) => name).join(' e ')].filter(Boolean).join(' ');

/** The registrations with the medical council: "CRM-SP 123456", "RQE 12345". */
export const registrationsOf = ({ crm, specialties }: Identity): string[] => [
  crm,
  ...specialties.map(({ rqe }) => rqe),
];

/** True if psychiatry is one of the listed specialties. */
export const isPsychiatrist = ({ specialties }: Identity): boolean =>
  specialties.some(({ name }) => /psiqui[aá]tr/i.test(name));
