import type { Client } from '#client/client.ts';
import type { SectionName, SiteContent } from '#contract/site/content.ts';
import type { DraftSection, SiteDraft } from '#contract/site/draft.ts';
import type { Identity } from '#contract/site/identity.ts';

/** An identity that can be published. */
export const realIdentity: Identity = {
  shortName: 'Ana Prado',
  doctorName: 'Dra. Ana Prado',
  profession: 'Médica',
  specialties: [{ name: 'psiquiatra', rqe: 'RQE 45678' }],
  crm: 'CRM-SP 123456',
  email: 'contato@anaprado.med.br',
  whatsapp: '5511912345678',
  bookingText: 'Olá! Gostaria de marcar uma consulta.',
  places: 'Consultório em Campinas, SP, e telemedicina',
  address: ['Rua das Acácias, 120, sala 4', 'Cambuí, Campinas, SP'],
  hours: '',
  schedule: {
    timeZone: 'America/Sao_Paulo',
    days: [{ weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '18:00' }],
    closed: [],
  },
  social: [],
  privacyContact: { name: 'Bruno Prado', email: 'privacidade@anaprado.med.br' },
};

/** Returns a section of a draft. */
export function sectionOf<Name extends SectionName>(draft: SiteDraft, name: Name): DraftSection<Name> {
  const found = draft.sections.find(({ section }) => section === name);
  if (!found) throw new Error(`The draft has no section ${name}.`);
  return found as DraftSection<Name>;
}

/** Returns a section with some of its fields changed, as an admin saves it. */
export function withFields<Name extends SectionName>(
  draft: SiteDraft,
  name: Name,
  fields: Partial<SiteContent[Name]>,
): DraftSection<Name> {
  const section = sectionOf(draft, name);
  return { ...section, content: { ...section.content, ...fields } };
}

/** Publishes the site with a real identity and this short name. @returns the new version */
export async function publishName({ site }: Client, shortName: string): Promise<number> {
  await site.saveSection(withFields(await site.getDraft(), 'identity', { ...realIdentity, shortName }));
  const { tag } = await site.getDraft();
  return (await site.publish(tag, { warningsConfirmed: true })).version;
}
