import type { Identity } from '#contract/site/identity.ts';

/** Sample values. `isSample` in contract/site/sample-values.ts tells them from a clinic's own values. */
export const identity: Identity = {
  shortName: 'Nome Sobrenome',
  doctorName: 'Dra. Nome Sobrenome',
  profession: 'Médica',
  specialties: [{ name: 'psiquiatra', rqe: 'RQE 00000' }],
  crm: 'CRM-UF 000000',
  email: 'contato@exemplo.com.br',
  whatsapp: '5500000000000',
  bookingText: 'Olá! Gostaria de agendar uma consulta. Quais horários estão disponíveis?',
  places: 'Consultório em Cidade, UF, e telemedicina',
  address: ['Rua Nome da Rua, 000, sala 00', 'Bairro, Cidade, UF'],
  hours: '',
  schedule: {
    timeZone: 'America/Sao_Paulo',
    days: [{ weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '18:00' }],
    closed: [],
  },
  social: [
    { network: 'Instagram', url: 'https://www.instagram.com/' },
    { network: 'YouTube', url: 'https://www.youtube.com/' },
    { network: 'LinkedIn', url: 'https://www.linkedin.com/' },
  ],
  privacyContact: { name: 'Nome da pessoa encarregada', email: 'privacidade@exemplo.com.br' },
};
