//! Which system calls there are. Everything else kills the process.
//!
//! Two lists: the zygote forks, passes descriptors on and waits; a child reads, writes and asks for memory. The child's
//! list is applied on top of the zygote's, so a call must be in both.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen::Dword, SeccompCmpArgLen::Qword, SeccompCmpOp,
    SeccompCondition, SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;

/// Compiled once, before the first fork.
pub(crate) struct Filter(BpfProgram);

/// No condition: any argument.
const ANY: &[Condition] = &[];

/// Number of the argument, its width, comparison, value.
type Condition = (u8, seccompiler::SeccompCmpArgLen, Compare, u64);

#[derive(Clone, Copy)]
enum Compare {
    Is,
    /// None of these bits.
    Lacks,
}

/// Memory, time, randomness, and the end.
const PLAIN: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
];

/// Fork, hand over, wait.
const ZYGOTE: &[i64] = &[
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup3,
    libc::SYS_getppid,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_ppoll,
    libc::SYS_prlimit64,
    libc::SYS_read,
    libc::SYS_recvmsg,
    libc::SYS_rseq,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_seccomp,
    libc::SYS_sendmsg,
    libc::SYS_set_robust_list,
    libc::SYS_setitimer,
    libc::SYS_setpriority,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_write,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_dup2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
];

/// A fork and no thread, and no namespace of its own.
const NO_FORK: u64 = (libc::CLONE_VM
    | libc::CLONE_THREAD
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWUTS) as u64;

impl Filter {
    pub(crate) fn zygote() -> Result<Self, String> {
        let mut rules = Rules::default();
        rules.allow_all(PLAIN)?;
        rules.allow_all(ZYGOTE)?;
        rules.allow_memory()?;
        for option in [libc::PR_SET_NO_NEW_PRIVS, libc::PR_SET_PDEATHSIG] {
            rules.allow(libc::SYS_prctl, &[(0, Dword, Compare::Is, option as u64)])?;
        }
        // Builds with assertions look at a descriptor before they close it.
        rules.allow(libc::SYS_fcntl, &[(1, Dword, Compare::Is, libc::F_GETFD as u64)])?;
        rules.allow(libc::SYS_clone, &[(0, Qword, Compare::Lacks, NO_FORK)])?;
        rules.compile()
    }

    pub(crate) fn child() -> Result<Self, String> {
        let mut rules = Rules::default();
        rules.allow_all(PLAIN)?;
        rules.allow_memory()?;
        rules.allow(libc::SYS_read, &[(0, Dword, Compare::Is, 0)])?;
        rules.allow(libc::SYS_write, &[(0, Dword, Compare::Is, 1)])?;
        // A last word of the C library or of Rust goes nowhere, but is no reason to be killed for something else.
        rules.allow(libc::SYS_write, &[(0, Dword, Compare::Is, 2)])?;
        // Its own limits, when the job has come. It has no right to raise one.
        rules.allow(libc::SYS_prlimit64, &[(0, Dword, Compare::Is, 0)])?;
        // It steps behind the server, after a while behind everybody, and cannot come forward again.
        rules.allow(
            libc::SYS_setpriority,
            &[(0, Dword, Compare::Is, libc::PRIO_PROCESS as u64), (1, Dword, Compare::Is, 0)],
        )?;
        for call in [libc::SYS_sched_setaffinity, libc::SYS_sched_setattr] {
            rules.allow(call, &[(0, Dword, Compare::Is, 0)])?;
        }
        rules.allow(libc::SYS_setitimer, &[(0, Dword, Compare::Is, libc::ITIMER_PROF as u64)])?;
        rules.compile()
    }

    pub(crate) fn apply(&self) -> Result<(), String> {
        seccompiler::apply_filter(&self.0).map_err(|e| format!("seccomp: {e}"))
    }
}

#[derive(Default)]
struct Rules(BTreeMap<i64, Vec<SeccompRule>>);

impl Rules {
    fn allow_all(&mut self, calls: &[i64]) -> Result<(), String> {
        calls.iter().try_for_each(|call| self.allow(*call, ANY))
    }

    /// Memory that can be executed is for programs that make programs: QuickJS does not.
    fn allow_memory(&mut self) -> Result<(), String> {
        let never_code: &[Condition] = &[(2, Dword, Compare::Lacks, libc::PROT_EXEC as u64)];
        self.allow(libc::SYS_mmap, never_code)?;
        self.allow(libc::SYS_mprotect, never_code)?;
        // Allocators name their memory for whoever reads `maps`.
        self.allow(libc::SYS_prctl, &[(0, Dword, Compare::Is, libc::PR_SET_VMA as u64)])
    }

    fn allow(&mut self, call: i64, conditions: &[Condition]) -> Result<(), String> {
        let rules = self.0.entry(call).or_default();
        if !conditions.is_empty() {
            let conditions = conditions.iter().map(condition).collect::<Result<Vec<_>, _>>();
            let rule = conditions.and_then(SeccompRule::new).map_err(|e| format!("seccomp: {e}"))?;
            rules.push(rule);
        }
        Ok(())
    }

    fn compile(self) -> Result<Filter, String> {
        let arch = std::env::consts::ARCH
            .try_into()
            .map_err(|_| format!("seccomp filters are not written for {}", std::env::consts::ARCH))?;
        let filter = SeccompFilter::new(self.0, SeccompAction::KillProcess, SeccompAction::Allow, arch);
        filter.and_then(BpfProgram::try_from).map(Filter).map_err(|e| format!("seccomp: {e}"))
    }
}

fn condition(
    (argument, width, compare, value): &Condition,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    let (operator, value) = match compare {
        Compare::Is => (SeccompCmpOp::Eq, *value),
        Compare::Lacks => (SeccompCmpOp::MaskedEq(*value), 0),
    };
    SeccompCondition::new(*argument, width.clone(), operator, value)
}
