import { initial } from './001-initial.ts';
import { newsletter } from './002-newsletter.ts';
import { attempts } from './003-attempts.ts';
import { accessLog } from './004-access-log.ts';
import { secondFactor } from './005-second-factor.ts';
import { latestActivities } from './006-latest-activities.ts';
import { files } from './007-files.ts';
import { peopleSearch } from './008-people-search.ts';
import { deletedActivities } from './009-deleted-activities.ts';
import { searchOnPostgres } from './010-search-on-postgres.ts';
import { latestAtTheEnd } from './011-latest-at-the-end.ts';
import { activityEditor } from './012-activity-editor.ts';
import { accessLogActor } from './013-access-log-actor.ts';
import { hashedTokens } from './014-hashed-tokens.ts';
import { firstAdminSeed } from './015-first-admin-seed.ts';
import { ownProfile } from './016-own-profile.ts';
import { storageTally } from './017-storage-tally.ts';
import { siteContent } from './018-site-content.ts';
import { practicePages } from './019-practice-pages.ts';
import { practiceTotals } from './020-practice-totals.ts';
import { activityDeleter } from './021-activity-deleter.ts';
import { favourites } from './022-favourites.ts';
import { backups } from './023-backups.ts';
import { importedPasswords } from './024-imported-passwords.ts';
import { installation } from './025-installation.ts';
import { releaseAssets } from './026-release-assets.ts';
import { oldestPrograms } from './027-oldest-programs.ts';
import { contentsFolder } from './028-contents-folder.ts';
import { backupPlace } from './029-backup-place.ts';
import { oldBackups } from './030-old-backups.ts';
import { addressProofs } from './031-address-proofs.ts';
import { backupDrills } from './032-backup-drills.ts';
import { publicPractices } from './033-public-practices.ts';
import { ofFirstVersion, type ReleasedMigration } from './released-migration.ts';

/** Kysely runs the migrations in the order of their names. Never edit a released migration. */
export const migrations: Record<string, ReleasedMigration> = {
  ...ofFirstVersion({
    '001-initial': initial,
    '002-newsletter': newsletter,
    '003-attempts': attempts,
    '004-access-log': accessLog,
    '005-second-factor': secondFactor,
    '006-latest-activities': latestActivities,
    '007-files': files,
    '008-people-search': peopleSearch,
    '009-deleted-activities': deletedActivities,
    '010-search-on-postgres': searchOnPostgres,
    '011-latest-at-the-end': latestAtTheEnd,
    '012-activity-editor': activityEditor,
    '013-access-log-actor': accessLogActor,
    '014-hashed-tokens': hashedTokens,
    '015-first-admin-seed': firstAdminSeed,
    '016-own-profile': ownProfile,
    '017-storage-tally': storageTally,
    '018-site-content': siteContent,
    '019-practice-pages': practicePages,
    '020-practice-totals': practiceTotals,
    '021-activity-deleter': activityDeleter,
    '022-favourites': favourites,
    '023-backups': backups,
    '024-imported-passwords': importedPasswords,
    '025-installation': installation,
  }),
  '026-release-assets': releaseAssets,
  '027-oldest-programs': oldestPrograms,
  '028-contents-folder': contentsFolder,
  '029-backup-place': backupPlace,
  '030-old-backups': oldBackups,
  '031-address-proofs': addressProofs,
  '032-backup-drills': backupDrills,
  '033-public-practices': publicPractices,
};
