"""Numbers of the system calls that the filter speaks of, for the two machines that have a table.

A call that a machine does not have (aarch64 has no ``poll``) is simply not in its table.
"""

from __future__ import annotations

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH constants by ``os.uname().machine``."""

_X86_64 = """
read 0 write 1 close 3 stat 4 fstat 5 lstat 6 poll 7 lseek 8 mmap 9 mprotect 10 munmap 11 brk 12 rt_sigaction 13
rt_sigprocmask 14 rt_sigreturn 15 ioctl 16 pread64 17 readv 19 writev 20 access 21 select 23 sched_yield 24
mremap 25 madvise 28 dup 32 dup2 33 nanosleep 35 getitimer 36 alarm 37 setitimer 38 getpid 39 socket 41 clone 56
fork 57 vfork 58 execve 59 kill 62 uname 63 fcntl 72 getcwd 79 chdir 80 readlink 89 gettimeofday 96 getrlimit 97
getrusage 98 sysinfo 99 times 100 ptrace 101 getuid 102 getgid 104 geteuid 107 getegid 108 getppid 110 getpgrp 111
getgroups 115 sigaltstack 131 arch_prctl 158 mount 165 umount2 166 init_module 175 gettid 186 time 201 futex 202
sched_getaffinity 204 getdents64 217 restart_syscall 219 clock_gettime 228 clock_getres 229 clock_nanosleep 230
exit_group 231 tgkill 234 exit 60 add_key 248 request_key 249 keyctl 250 openat 257 newfstatat 262 readlinkat 267
faccessat 269 pselect6 270 ppoll 271 unshare 272 set_robust_list 273 dup3 292 perf_event_open 298 prlimit64 302
setns 308 process_vm_readv 310 process_vm_writev 311 finit_module 313 getrandom 318 bpf 321 execveat 322
userfaultfd 323 statx 332 rseq 334 io_uring_setup 425 io_uring_enter 426 io_uring_register 427 clone3 435
openat2 437 pidfd_getfd 438 faccessat2 439 recvmsg 47 rt_sigpending 127 rt_sigtimedwait 128 pivot_root 155
chroot 161 kexec_load 246 open_tree 428 fsopen 430 mount_setattr 442 quotactl 179 swapon 167 reboot 169
membarrier 324 getpriority 140 getsid 124 getresuid 118 getresgid 120 close_range 436
"""

_AARCH64 = """
getcwd 17 dup 23 dup3 24 fcntl 25 ioctl 29 umount2 39 mount 40 pivot_root 41 faccessat 48 chdir 49 chroot 51
openat 56 close 57 quotactl 60 getdents64 61 lseek 62 read 63 write 64 readv 65 writev 66 pread64 67 pselect6 72
ppoll 73 readlinkat 78 newfstatat 79 fstat 80 exit 93 exit_group 94 unshare 97 futex 98 set_robust_list 99
nanosleep 101 getitimer 102 setitimer 103 kexec_load 104 init_module 105 clock_gettime 113 clock_getres 114
clock_nanosleep 115 ptrace 117 sched_getaffinity 123 sched_yield 124 restart_syscall 128 kill 129 tgkill 131
sigaltstack 132 rt_sigaction 134 rt_sigprocmask 135 rt_sigpending 136 rt_sigtimedwait 137 rt_sigreturn 139
getpriority 141 reboot 142 getresuid 148 getresgid 150 times 153 getsid 156 getgroups 158 uname 160 getrlimit 163
getrusage 165 gettimeofday 169 getpid 172 getppid 173 getuid 174 geteuid 175 getgid 176 getegid 177 gettid 178
sysinfo 179 socket 198 recvmsg 212 brk 214 munmap 215 mremap 216 add_key 217 request_key 218 keyctl 219 clone 220
execve 221 mmap 222 swapon 224 mprotect 226 madvise 233 perf_event_open 241 prlimit64 261 setns 268
process_vm_readv 270 process_vm_writev 271 finit_module 273 getrandom 278 bpf 280 execveat 281 userfaultfd 282
membarrier 283 statx 291 rseq 293 io_uring_setup 425 io_uring_enter 426 io_uring_register 427 open_tree 428
fsopen 430 clone3 435 close_range 436 openat2 437 pidfd_getfd 438 faccessat2 439 mount_setattr 442
"""


def _table(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}


NUMBERS = {"x86_64": _table(_X86_64), "aarch64": _table(_AARCH64)}
"""``machine -> name -> number``."""
