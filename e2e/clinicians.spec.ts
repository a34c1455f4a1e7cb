import { clinician, endShares, protectAdmin, shareDiary } from './accessible-clinicians.ts';
import { expect, siteWithUsers, test } from './journey.ts';
import { tabTo } from './keyboard.ts';
import { openUsers } from './users-list.ts';

const { site, users } = siteWithUsers();

test('an admin is named a clinician and reads what a patient shares, until the patient ends it, by keyboard', {
  tag: '@full',
}, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await protectAdmin({ users });
  await openUsers(page, site, users.admin);
  const press = async (name: string) => {
    const button = page.getByRole('button', { name, exact: true }).last();
    await tabTo(button);
    await page.keyboard.press('Enter');
  };
  await press('Editar Alice Admin');
  await press('Nomear para ler diários');
  const question = page.getByRole('dialog', { name: 'Nomear Alice Admin para ler diários' });
  for (const [label, value] of [
    ['Nome', clinician.name],
    ['CRM', '123456'],
    ['Sua senha', users.admin.password],
  ] as const) {
    await tabTo(question.getByLabel(label, { exact: true }));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(value);
  }
  await page.keyboard.press('Enter');
  await expect(question.getByText('Escreva o CRM assim: CRM-SP 123456.').first()).toBeVisible();
  await tabTo(question.getByLabel('CRM', { exact: true }));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('crm-sp 123.456');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${clinician.name}, ${clinician.crm}`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: /Alice Admin/ })).toContainText('Lê diários');

  await shareDiary({ site, users });
  await press('Menu da administração: Usuários');
  await tabTo(page.getByRole('link', { name: 'Pacientes' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Compartilham com você' })).toBeVisible();
  await tabTo(page.getByRole('link', { name: 'Pedro Paciente' }));
  await page.keyboard.press('Enter');
  for (const words of [
    'Pedro Paciente',
    'O paciente vê que você leu',
    'Que parei de sair de casa.',
    'sono · preocupação',
    'bastante',
    'Caminhei antes do jantar.',
    'Liguei para a minha irmã.',
  ])
    await expect(page.getByRole('main')).toContainText(words);
  await expect(page).toHaveTitle(/^Diário compartilhado/);

  await endShares({ site });
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByText('Este diário não está compartilhado com você agora')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Dormi pouco.');
});
