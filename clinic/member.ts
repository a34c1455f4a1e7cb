import type { MemberTexts } from '#contract/site/content.ts';

/** The texts of the members' page. */
export const member: MemberTexts = {
  lead: 'Este espaço é seu, para usar no seu tempo.',
  courses: {
    text: 'Aqui vão ficar cursos curtos, em vídeo e texto, sobre os temas que mais aparecem nas consultas: dormir, lidar com a ansiedade, voltar ao que importa. O primeiro está sendo preparado.',
    items: [],
  },
  links: {
    text: 'Páginas de confiança para o intervalo entre uma consulta e outra.',
    items: [
      {
        title: 'CVV, Centro de Valorização da Vida',
        text: 'Conversa por telefone, chat ou e-mail, a qualquer hora, de graça e em sigilo. O telefone é 188.',
        url: 'https://cvv.org.br/',
      },
      {
        title: 'Meu SUS Digital',
        text: 'Vacinas, exames e receitas da rede pública, no telefone ou no computador.',
        url: 'https://meususdigital.saude.gov.br/',
      },
    ],
  },
};
