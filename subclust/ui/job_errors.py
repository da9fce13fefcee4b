"""Why a job of this machine failed, or cannot be had as asked, and the way out of it."""

from subclust.ui.language import N_

JOBS = (
    N_("A job for {title} waits or runs already ({job}); choose another name, or cancel that one."),
    N_("The job {job} is not running, so there is nothing to cancel."),
    N_("The job {job} is running already."),
    N_("The job {job} is running already; wait for its end, or choose another name."),
    N_("The job {job} waits in the queue already."),
    N_("The job {job} waits in the queue already; let it have its turn, or cancel it."),
    N_("The job {job} is finished; clone it to train with other settings."),
    N_("The job {job} has not ended; cancel it first."),
    N_("The job {job} could not be started ({error}); free memory or disk space, and resume it."),
    N_("The job {job} is done by another process already ({process})."),
    N_("There is no job {job} (there: {there})."),
    N_("The record of the job {job} is damaged; remove the job, or restore {file} from a copy."),
    N_("The jobs in {folder} are locked by another program; try again in a moment."),
    N_("{name} cannot name a job; give it letters or digits."),
)
"""Of a job that cannot be had as asked."""

FAILURES = (
    N_("The disk is full, so that nothing more could be saved."),
    N_("The graphics card ran out of memory."),
    N_("The computer ran out of memory."),
    N_("The system ended the job, most likely because memory ran out."),
    N_("The command ended before its work was done."),
    N_("The job's process is gone: it was killed, or the computer was switched off."),
    N_("The program itself has a fault ({error})."),
)
"""Of a job that failed."""

WAYS_OUT = (
    N_("Delete what is no longer needed and resume the job; it goes on from its last saved state."),
    N_("Resume the job; it goes on from its last saved state."),
    N_("Resume the job once; if it fails again, report the end of its log."),
    N_("See the log for the reason."),
    N_("Clone the job with other settings, or see its log for more."),
    N_("Close other programs and resume the job, or clone it with a smaller max_passages."),
    N_("Train with smaller batches: {half} passages instead of {whole}."),
)
"""What to do about it."""
