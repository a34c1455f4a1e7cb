/** Brazilian given names, the frequent ones first. */
export const firstNames = (
  'Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Francisca Daniel Marcelo ' +
  'Bruno Eduardo Felipe Antônia Raimundo Rodrigo Adriana Juliana Márcia Fernanda Patrícia Aline Manoel Sandra Camila ' +
  'Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gustavo Mateus Leonardo Vitória Tiago Leandro Fábio ' +
  'Alexandre Larissa Cláudia Beatriz Rita Luana Sônia Renata Eliane Josefa Simone Natália Cristiane Carla Débora Rosângela ' +
  'Jaqueline Rosa Daniela Aparecida Marlene Terezinha Raimunda Andréia Fabiana Lúcia Raquel Ângela Rafaela Joana Luzia ' +
  'Elaine Daniele Regina Tatiana Vera Tereza Roseli Sueli Priscila Rogério Anderson Ricardo Jorge Roberto Diego Sebastião ' +
  'Vinícius André Márcio Edson Guilherme Sérgio Fernando Vitor Cláudio Douglas Samuel Mário Renato Adriano Gilberto ' +
  'Rubens Wagner Thaís Íris Érica Ângelo César Flávio Hélio Ivone Janaína Karina Lívia Michele Noemi Otávio Quitéria ' +
  'Ruth Silvana Tainá Ubirajara Valdir Wesley Yasmin Zélia Zulmira Ítalo Évora Xavier Conceição Iracema Jandira'
).split(' ');

/** Family names, the frequent ones first. */
export const surnames = (
  'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes ' +
  'Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso ' +
  'Ramos Gonçalves Santana Teixeira Araújo Reis Moura Cavalcanti Melo Monteiro Batista Campos Correia Castro Borges ' +
  'Pinto Azevedo Barros Miranda Duarte Farias Cunha Moraes Nogueira Peixoto Xavier Pacheco Sales Brandão Queiroz ' +
  'Figueiredo Guimarães Assis Aguiar Bezerra Brito Camargo Coelho Couto Domingues Esteves Fonseca França Furtado Godoy ' +
  'Holanda Inácio Jesus Leal Leite Macedo Magalhães Matos Medeiros Menezes Mota Neves Nóbrega Paiva Pimentel Pires Prado ' +
  'Rangel Rezende Rios Sampaio Siqueira Tavares Toledo Torres Trindade Valente Vasconcelos Veloso Viana Vilela Zanetti ' +
  "Wagner Sant'Ana D'Ávila Yamamoto Kowalski Zimmermann"
).split(' ');

/** Mail domains, the frequent ones first. */
export const mailHosts = [
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com.br',
  'icloud.com',
  'uol.com.br',
  'terra.com.br',
  'exemplo.com.br',
] as const;
