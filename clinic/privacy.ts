import type { PrivacyTexts } from '#contract/site/content.ts';

/**
 * What the clinic adds to the privacy page. In `blocks`, a string is a paragraph, and an array is a list.
 */
export const privacy: PrivacyTexts = {
  description: 'Quais dados este site guarda, por quê, por quanto tempo, e como exercer os seus direitos.',
  lead: 'Saúde é assunto delicado. Por isso este site guarda pouco, conta o que guarda e deixa você decidir.',
  updated: '2026-11-22',
  sections: [
    {
      title: 'A consulta e o prontuário',
      blocks: [
        'O prontuário não fica neste site. Ele é guardado em sistema próprio, com sigilo médico, pelo tempo que a lei determina.',
        'Pelo WhatsApp combinamos apenas o horário. Não conte sintomas por lá: as mensagens passam pelos servidores da Meta, fora do Brasil.',
      ],
    },
    {
      title: 'Crianças e adolescentes',
      blocks: [
        'O site é feito para adultos. Dados de crianças só são tratados com o consentimento específico de um dos pais ou do responsável (LGPD, art. 14).',
      ],
    },
  ],
};
